"""Linear and integer programs for HiGHS (scipy 1.9 or later), with bounds that are computed here."""
import math
import time

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_matrix, vstack


class Model:
    """Columns and rows as they come; minimize."""

    def __init__(self):
        self.cost, self.low, self.high, self.whole = [], [], [], []
        self.row, self.column, self.value, self.row_low, self.row_high = [], [], [], [], []

    def add(self, low, high, cost=0.0, whole=True):
        self.cost.append(cost), self.low.append(low), self.high.append(high), self.whole.append(int(whole))
        return len(self.cost) - 1

    def rule(self, terms, low, high):
        r = len(self.row_low)
        for column, value in terms:
            self.row.append(r), self.column.append(column), self.value.append(value)
        self.row_low.append(low), self.row_high.append(high)

    def matrix(self):
        return csr_matrix((self.value, (self.row, self.column)), shape=(len(self.row_low), len(self.cost)))

    def solve(self, seconds):
        """("optimal", cost), ("none", inf) or ("stopped", bound). Without presolve: that of HiGHS 1.2 has been seen to
        lose solutions and to hand out some that break a row (`hubs` showed both)."""
        begin = time.time()
        result = milp(self.cost, integrality=self.whole, bounds=Bounds(self.low, self.high),
                      constraints=LinearConstraint(self.matrix(), self.row_low, self.row_high),
                      options={"time_limit": seconds, "mip_rel_gap": 0.0, "presolve": False})
        if result.status == 0:
            return ("optimal" if self.keeps(result.x) else "broken"), result.fun
        if result.status == 2 and time.time() - begin < seconds:
            return "none", math.inf
        bound = getattr(result, "mip_dual_bound", None)
        return "stopped", -math.inf if bound is None else bound

    def keeps(self, x):
        sums = self.matrix() @ x
        return bool(np.all(sums <= np.array(self.row_high) + 1e-4) and np.all(sums >= np.array(self.row_low) - 1e-4))

    def relaxed(self, seconds):
        """The linear program, as ("optimal", bound, solution, reduced costs), "none" or "stopped". Bound and reduced costs
        are computed here from the prices of the rows, whatever HiGHS says; every column needs two finite bounds."""
        matrix, low, high = self.matrix(), np.array(self.row_low), np.array(self.row_high)
        equal, cost = low == high, np.array(self.cost)
        upper, lower = ~equal & np.isfinite(high), ~equal & np.isfinite(low)
        most, limit = vstack([matrix[upper], -matrix[lower]]).tocsr(), np.concatenate([high[upper], -low[lower]])
        result = linprog(cost, A_ub=most, b_ub=limit, A_eq=matrix[equal], b_eq=low[equal], method="highs",
                         bounds=np.column_stack([self.low, self.high]), options={"time_limit": seconds})
        if result.status != 0:
            return "none" if result.status == 2 else "stopped", math.inf, None, None
        price, fixed = np.minimum(0.0, result.ineqlin.marginals), result.eqlin.marginals
        reduced = cost - most.T @ price - matrix[equal].T @ fixed
        bound = price @ limit + fixed @ low[equal] + np.minimum(reduced * self.low, reduced * self.high).sum()
        return "optimal", bound - 1e-6, result.x, reduced

    def impossible(self, seconds):
        """True: no values keep the rows, which are broken by more than 0 in all, by the bound of a linear program."""
        other, rows = Model(), len(self.row_low)
        other.row, other.column, other.value = list(self.row), list(self.column), list(self.value)
        other.row_low, other.row_high = list(self.row_low), list(self.row_high)
        other.cost, other.low, other.high = [0.0] * len(self.cost), list(self.low), list(self.high)
        for r in range(rows):
            for sign, side in ((1, self.row_low[r]), (-1, self.row_high[r])):
                if math.isfinite(side):
                    other.row.append(r), other.column.append(len(other.cost)), other.value.append(sign)
                    other.cost.append(1.0), other.low.append(0.0), other.high.append(1000.0)
        state, bound, _, _ = other.relaxed(seconds)
        return state == "optimal" and bound > 1e-3

    def exclude(self, reduced, gap):
        """Fix 0/1 columns whose other value costs more than the gap."""
        for j, whole in enumerate(self.whole):
            if whole and reduced[j] > gap:
                self.high[j] = self.low[j]
            elif whole and -reduced[j] > gap:
                self.low[j] = self.high[j]

    def drop_slack(self, first, x, slack):
        """Forget rows from `first` on, all of them upper limits, that x meets with more than so much to spare."""
        spare = np.array(self.row_high) - self.matrix() @ x
        keep = [r < first or spare[r] <= slack for r in range(len(spare))]
        number = np.cumsum(keep) - 1
        entries = [(number[r], c, v) for r, c, v in zip(self.row, self.column, self.value) if keep[r]]
        self.row, self.column, self.value = ([e[i] for e in entries] for i in range(3))
        self.row_low = [b for b, stays in zip(self.row_low, keep) if stays]
        self.row_high = [b for b, stays in zip(self.row_high, keep) if stays]

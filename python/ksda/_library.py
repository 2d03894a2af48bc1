"""The shared library: finding it, checking that it is the one these declarations are of, and calling it.

Every call that may take long runs in a thread of its own, so that Ctrl-C reaches Python at once and stops the library
within a second. ctypes gives the interpreter's lock back during a call."""

import ctypes
import os
import sys
import sysconfig
import threading
import weakref
from ctypes.util import find_library

try:
    import numpy as np
except ImportError as error:
    raise ImportError(
        f"ksda needs numpy, which {sys.executable} does not have; install it (pip install numpy), or use a Python that "
        "has it: Debian's is /usr/bin/python3, with the package python3-numpy"
    ) from error

from . import _declarations as d


class Error(Exception):
    """Something that the library refused or could not do.

    ``code`` is the status's number and ``name`` what it is called; ``source``, ``line`` and ``column`` say where in a
    file, where that is known."""

    def __init__(self, message, code=0, name="", source=None, line=0, column=0):
        super().__init__(message)
        self.code, self.name, self.source, self.line, self.column = code, name, source, line, column


class InvalidError(Error, ValueError):
    """An argument is out of range, or arguments contradict each other."""


class ParseError(Error, ValueError):
    """A file is not what it claims to be."""


class NotFoundError(Error):
    """The method found no release; another one may."""


class InfeasibleError(NotFoundError):
    """Proved: there is no release."""


class VerificationError(Error):
    """A release is not what it claims to be."""


class UnsupportedError(Error, NotImplementedError):
    """This build or this format cannot do it."""


_ERRORS = {
    d.KSDA_NOMEM: MemoryError,
    d.KSDA_INVALID: InvalidError,
    d.KSDA_PARSE: ParseError,
    d.KSDA_UNSUPPORTED: UnsupportedError,
    d.KSDA_NOT_FOUND: NotFoundError,
    d.KSDA_INFEASIBLE: InfeasibleError,
    d.KSDA_VIOLATED: VerificationError,
    d.KSDA_TIMEOUT: TimeoutError,
    d.KSDA_INTERRUPTED: KeyboardInterrupt,
}


# --- finding it -------------------------------------------------------------------------------------------------------


def _candidates():
    """Where the library may be: named by the user, beside the package, in the prefix it was installed to, the system's."""
    named = os.environ.get("KSDA_LIBRARY")
    if named:
        return [named]
    here = os.path.dirname(os.path.abspath(__file__))
    above = os.path.dirname(here)
    folders = [here]
    if os.path.basename(above) in ("dist-packages", "site-packages"):
        lib_folder = os.path.dirname(os.path.dirname(above))  # PREFIX/lib/python3.11/site-packages/ksda
        folders += [lib_folder, os.path.join(lib_folder, sysconfig.get_config_var("MULTIARCH") or ""), lib_folder + "64"]
    elif os.path.exists(os.path.join(above, "pyproject.toml")):
        folders.append(os.path.join(os.path.dirname(above), "build"))  # the tree
    found = [os.path.join(folder, "libksda.so.0") for folder in folders]
    system = find_library("ksda")
    return [path for path in found if os.path.exists(path)] + ([system] if system else []) + ["libksda.so.0"]


def _open():
    tried = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            tried.append("%s (%s)" % (path, error))
    raise ImportError(
        "libksda was not found: install it (make install), or name it with KSDA_LIBRARY=/path/to/libksda.so.0; tried "
        + "; ".join(tried)
    )


def _declare(library):
    for name, (result, arguments) in d.FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(
                "%s has no function %s: it is older than this package; install both from one release, or name another "
                "library with KSDA_LIBRARY" % (library._name, name)
            ) from None
        function.restype, function.argtypes = result, arguments


def _check_layout(library):
    """Structs of the library are those of the declarations; ones that begin with `size` may have grown at the end."""
    count = ctypes.c_size_t()
    table = library.ksda_abi(ctypes.byref(count))
    theirs = {table[i].name.decode(): table[i] for i in range(count.value)}
    for name, ours in d.STRUCTS.items():
        known = theirs.get(name)
        grows = bool(ours._fields_) and ours._fields_[0][0] == "size"
        if known is None or known.size < ctypes.sizeof(ours) or (known.size > ctypes.sizeof(ours) and not grows):
            raise ImportError(
                "struct %s has %s bytes in %s and %d in this package: they are of different releases; install both "
                "from one" % (name, known.size if known else "no", library._name, ctypes.sizeof(ours))
            )
        fields = {known.field[i].name.decode(): known.field[i] for i in range(known.fields)}
        for field, *_ in ours._fields_:
            place = getattr(ours, field)
            if field not in fields or (fields[field].offset, fields[field].size) != (place.offset, place.size):
                raise ImportError(
                    "field %s.%s stands elsewhere in %s than in this package: they are of different releases; install "
                    "both from one" % (name, field, library._name)
                )


lib = _open()
_declare(lib)
_check_layout(lib)

#: The version of the library.
library_version = lib.ksda_version().decode()


# --- contexts ---------------------------------------------------------------------------------------------------------


def _raise(context, status):
    error = lib.ksda_ctx_error(context).contents
    message = error.message.decode("utf-8", "replace")
    source = error.source.decode("utf-8", "replace") if error.source else None
    if source and error.line:
        message = "%s:%d: %s" % (source, error.line, message)
    kind = _ERRORS.get(status, Error)
    if status == d.KSDA_IO:
        raise OSError("%s: %s" % (source, message) if source and not error.line else message)
    if not issubclass(kind, Error):
        raise kind(message)
    raise kind(message, status, lib.ksda_status_name(status).decode(), source, error.line, error.column)


def _progress_callback(progress):
    """A callback for the library; what the caller's own one raises is kept and raised when the call is over."""
    raised = []

    def report(at, _):
        now = at.contents
        try:
            stop = progress(now.stage.decode(), now.done, now.total)
        except BaseException as error:  # whatever it is, it ends the call
            raised.append(error)
            stop = True
        return 1 if stop else 0

    return d.ksda_progress_fn(report), raised


def _tqdm_progress():
    """Bars by tqdm where it is there."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True needs tqdm; or give a function(stage, done, total)") from None
    bars = {}

    def report(stage, done, total):
        bar = bars.get(stage)
        if bar is None:
            bar = bars[stage] = tqdm(desc=stage, total=total or None)
        bar.n = done
        bar.refresh()

    return report


class Context:
    """Settings of one call: seed, threads, limits, progress."""

    def __init__(self, seed=1, threads=0, time_limit=None, progress=None, processes=False):
        handle = ctypes.c_void_p()
        if lib.ksda_ctx_new(None, ctypes.byref(handle)) < 0:
            raise MemoryError("no memory for a context")
        self.handle = handle
        self._free = weakref.finalize(self, lib.ksda_ctx_free, handle)
        lib.ksda_ctx_set_seed(handle, int(seed))
        lib.ksda_ctx_set_threads(handle, int(threads))
        lib.ksda_ctx_allow_processes(handle, int(processes))
        self.time_limit = time_limit
        self._raised = []
        if progress is True:
            progress = _tqdm_progress()
        if progress:
            self._callback, self._raised = _progress_callback(progress)
            lib.ksda_ctx_set_progress(handle, self._callback, None)

    def check(self, status):
        """Raise what a status means; True where the call was stopped early with a valid result."""
        if self._raised:
            raise self._raised.pop()
        if status < 0:
            _raise(self.handle, status)
        return status == d.KSDA_LIMIT

    def run(self, function, *arguments):
        """Call a function whose first argument is the context, and check what it returns. Ctrl-C cancels it."""
        if self.time_limit is not None:
            lib.ksda_ctx_set_time_limit(self.handle, float(self.time_limit))
            lib.ksda_ctx_set_deadline(self.handle, float(self.time_limit) + 0.6)
        if threading.current_thread() is not threading.main_thread():
            return self.check(function(self.handle, *arguments))
        outcome, over = [], threading.Event()

        def work():
            try:
                outcome.append(function(self.handle, *arguments))
            finally:
                over.set()

        # (Thread.join() takes a thread for ended when it is interrupted; the event does not. work() holds the arguments, so
        # that a call that is left before it has ended, by several interrupts at once, still has its memory.)
        threading.Thread(target=work, daemon=True).start()
        try:
            while not over.wait(0.05):
                pass
        finally:
            interrupted = not over.is_set()
            while not over.is_set():
                try:
                    lib.ksda_ctx_cancel(self.handle)
                    over.wait(0.05)
                except KeyboardInterrupt:
                    pass
            if interrupted:
                lib.ksda_ctx_reset_cancel(self.handle)
        return self.check(outcome[0])


# --- small conversions ------------------------------------------------------------------------------------------------


def pointer(array, kind):
    """The address of a numpy array for an argument."""
    return array.ctypes.data_as(ctypes.POINTER(kind))


def view(address, count, dtype, owner):
    """Memory of the library as a numpy array that is not to be written, without a copy; it keeps its owner alive."""
    if count == 0 or not address:
        return np.empty(0, dtype)
    kind = np.ctypeslib.as_ctypes_type(dtype)
    block = (kind * count).from_address(ctypes.cast(address, ctypes.c_void_p).value)
    block._owner = owner
    array = np.frombuffer(block, dtype)
    array.flags.writeable = False
    return array


def names_buffer(names):
    """Names as one buffer with offsets."""
    encoded = [str(name).encode("utf-8") for name in names]
    offsets = np.zeros(len(encoded) + 1, np.uint64)
    np.cumsum([len(name) for name in encoded], out=offsets[1:]) if encoded else None
    return b"".join(encoded), offsets


def take_names(context, function, handle, count):
    """Names that the library hands out, as a list of strings."""
    text, offsets = ctypes.c_void_p(), ctypes.POINTER(ctypes.c_uint64)()
    context.check(function(context.handle, handle, ctypes.byref(text), ctypes.byref(offsets)))
    try:
        whole = ctypes.string_at(text, offsets[count]) if count else b""
        return [whole[offsets[i] : offsets[i + 1]].decode("utf-8", "replace") for i in range(count)]
    finally:
        lib.ksda_free(context.handle, text)
        lib.ksda_free(context.handle, offsets)


def take_text(context, function, *arguments):
    """A string that the library hands out."""
    text = ctypes.c_void_p()
    context.run(function, *arguments, ctypes.byref(text))
    try:
        return ctypes.string_at(text).decode("utf-8")
    finally:
        lib.ksda_free(context.handle, text)


def sized(kind, **values):
    """A result or options struct that says how large it is."""
    return kind(size=ctypes.sizeof(kind), **values)


def options(kind, initialize, **values):
    """An options struct with its defaults, and what differs from them."""
    struct = kind()
    initialize(ctypes.byref(struct), ctypes.sizeof(kind))
    for name, value in values.items():
        if value is not None:
            setattr(struct, name, value)
    return struct

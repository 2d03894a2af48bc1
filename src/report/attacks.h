/* attacks.h: what attackers learn, as JSON, text and a section of a page. */
#ifndef KSDA_I_ATTACKS_H
#define KSDA_I_ATTACKS_H

#include "io/output.h"
#include "report/report.h"

void ksda_i_attacks_json(const ksda_attack_result *result, json_t *object);
void ksda_i_attacks_text(const ksda_attack_result *result, FILE *out);
void ksda_i_attacks_html(const ksda_attack_result *result, ksda_i_output *out);

#endif

/* vocabulary.h: what holds in the words of those who publish tables, as JSON, text and a section of a page. */
#ifndef KSDA_I_REPORT_VOCABULARY_H
#define KSDA_I_REPORT_VOCABULARY_H

#include "io/output.h"
#include "report/report.h"

void ksda_i_vocabulary_json(const ksda_diversity *d, json_t *object);
void ksda_i_vocabulary_text(const ksda_diversity *d, FILE *out);
void ksda_i_vocabulary_html(const ksda_diversity *d, ksda_i_output *out);

#endif

/* cli.h: what the commands of the program share. It sees the library through abut.h alone. */
#ifndef ABUT_CLI_H
#define ABUT_CLI_H

#include <abut.h>
#include <stdio.h>

/* arguments after the command's name; exit code */
typedef int cli_command(int count, char **arg);

cli_command cli_run, cli_check, cli_verify, cli_info, cli_export, cli_list, cli_help;

/* usage of a command, from `abut help` */
const char *cli_usage(const char *command);
/* "abut: ..." on stderr and how to get help; 2 */
int cli_misuse(const char *command, const char *format, ...);

/* The value of an option "--name VALUE" or "--name=VALUE" at arg[*i]; moves *i past it. NULL when
   arg[*i] is not that option; *missing is set when the value is. */
const char *cli_option(int count, char **arg, int *i, const char *name, bool *missing);
/* whole text as a number; false when it is not one */
bool cli_number(const char *text, double *value);
bool cli_integer(const char *text, long long *value);

/* settings with notes and warnings going to stderr (quiet: warnings only) */
abut_settings cli_settings(bool quiet, int threads);

/* The last error on stderr, or as JSON on stdout; returns the exit code. */
int cli_fail(const abut_scene *s, abut_status status, bool json);

void cli_json_string(FILE *out, const char *text);
void cli_json_number(FILE *out, double value);
/* {"file","errors","warnings","findings":[..]}; frames: with the key frame; error: NULL, or one
   that the list does not hold, as the key error */
void cli_json_findings(FILE *out, const char *file, const abut_finding *list, int64_t count,
                       bool frames, const abut_error *error);

#endif

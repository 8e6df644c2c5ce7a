/* program.h: a folder of its own for each test, scenes and meshes written into it, the program run
   in it as a user would, and the same library called in this process. Included first. */
#ifndef ABUT_TESTS_PROGRAM_H
#define ABUT_TESTS_PROGRAM_H

#define _GNU_SOURCE
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <abut.h>

/* the runtimes of sanitizers need address space without a limit, one of them files without a limit
 */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
enum { SANITIZED = 1, THREAD_SANITIZED = 1 };
#elif defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { SANITIZED = 1, THREAD_SANITIZED = 0 };
#else
enum { SANITIZED = 0, THREAD_SANITIZED = 0 };
#endif

static char folder[64]; /* of this test; the program runs in it */

/* ---- things that live until the test ends ---- */

enum { KEPT = 4096 };
static void *kept[KEPT];
static int keeps;

static inline void *keep(void *block)
{
  assert_non_null(block);
  assert_true(keeps < KEPT);
  return kept[keeps++] = block;
}

enum { TREES = 512, SCENES = 256 };
static json_t *kept_tree[TREES];
static abut_scene *kept_scene[SCENES];
static int kept_trees, kept_scenes;

static inline int begin(void **state)
{
  (void)state;
  strcpy(folder, "/tmp/abut-test-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static inline int end(void **state)
{
  (void)state;
  while (kept_scenes > 0) abut_destroy(kept_scene[--kept_scenes]);
  while (kept_trees > 0) json_decref(kept_tree[--kept_trees]);
  while (keeps > 0) free(kept[--keeps]);
  char command[160];
  snprintf(command, sizeof command, "chmod -R u+rwX '%s'; rm -rf '%s'", folder, folder);
  return system(command);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, begin, end)

/* ---- text and files ---- */

#define PRINTS(text, first) __attribute__((format(printf, text, first)))

static inline char *print_kept(const char *format, va_list args)
{
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  char *text = keep(malloc((size_t)length + 1));
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

static inline char *print_text(const char *format, ...) PRINTS(1, 2);
static inline char *print_text(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = print_kept(format, args);
  va_end(args);
  return text;
}

/* JSON whose quotes are written as ' */
static inline char *quoted(const char *format, ...) PRINTS(1, 2);
static inline char *quoted(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = print_kept(format, args);
  va_end(args);
  for (char *p = text; *p; p++)
    if (*p == '\'') *p = '"';
  return text;
}

/* name in the test's folder, or an absolute path */
static inline char *at(const char *name)
{
  return name[0] == '/' ? print_text("%s", name) : print_text("%s/%s", folder, name);
}

static inline void write_bytes(const char *name, const void *data, size_t size)
{
  FILE *file = fopen(at(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *name, const char *text)
{
  write_bytes(name, text, strlen(text));
}

static inline char *read_bytes(const char *name, size_t *size)
{
  FILE *file = fopen(at(name), "rb");
  if (!file) fail_msg("%s is not there", at(name));
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  long length = ftell(file);
  rewind(file);
  char *data = keep(malloc((size_t)length + 1));
  assert_int_equal(fread(data, 1, (size_t)length, file), length);
  data[length] = '\0';
  fclose(file);
  if (size) *size = (size_t)length;
  return data;
}

static inline char *read_text(const char *name)
{
  return read_bytes(name, NULL);
}

static inline bool there(const char *name)
{
  struct stat info;
  return stat(at(name), &info) == 0;
}

static inline void make_folder(const char *name)
{
  assert_int_equal(mkdir(at(name), 0777), 0);
}

static inline bool contains(const char *text, const char *part)
{
  return strstr(text, part) != NULL;
}

#define assert_contains(text, part)                                                                \
  do {                                                                                             \
    const char *text_ = (text), *part_ = (part);                                                   \
    if (!contains(text_, part_)) fail_msg("\"%s\" is not in:\n%s", part_, text_);                  \
  } while (0)

#define assert_lacks(text, part)                                                                   \
  do {                                                                                             \
    const char *text_ = (text), *part_ = (part);                                                   \
    if (contains(text_, part_)) fail_msg("\"%s\" should not be in:\n%s", part_, text_);            \
  } while (0)

/* ---- JSON ---- */

static inline json_t *tree_of(const char *text)
{
  json_error_t error;
  json_t *tree = json_loads(text, 0, &error);
  if (!tree) fail_msg("no JSON: %s in:\n%s", error.text, text);
  assert_true(kept_trees < TREES);
  return kept_tree[kept_trees++] = tree;
}

static inline json_t *read_json(const char *name)
{
  return tree_of(read_text(name));
}

/* the value at a path like findings[0].elements, or NULL */
static inline json_t *find(const json_t *tree, const char *path)
{
  const json_t *value = tree;
  while (value && *path) {
    if (*path == '[') {
      char *rest;
      value = json_array_get(value, strtoul(path + 1, &rest, 10));
      path = rest + 1;
    } else {
      size_t n = strcspn(path += *path == '.', ".[");
      value = json_object_getn(value, path, n);
      path += n;
    }
  }
  return (json_t *)(uintptr_t)value;
}

static inline double number(const json_t *tree, const char *path)
{
  const json_t *value = find(tree, path);
  if (!json_is_number(value)) fail_msg("%s is not a number", path);
  return json_number_value(value);
}

static inline const char *string(const json_t *tree, const char *path)
{
  const json_t *value = find(tree, path);
  if (!json_is_string(value)) fail_msg("%s is not text", path);
  return json_string_value(value);
}

/* ---- the program ---- */

typedef struct outcome {
  int code;  /* exit code; 1000 + signal when it was killed */
  char *out; /* what it said */
  char *err;
} outcome;

/* of the next runs: bytes that a file may have (0: any), the folder they start in, the user
   that they run as (0: this one), where their output goes */
static rlim_t file_limit;
static const char *work_folder, *out_path;
static uid_t run_as;
static int outputs;

static inline const char *program_path(void)
{
  static char path[4096];
  const char *given = getenv("ABUT_PROGRAM");
  if (given) return given;
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 8);
  assert_true(n > 0);
  path[n] = '\0';
  strcpy(strrchr(path, '/'), "/abut");
  return path;
}

typedef struct child {
  pid_t pid;
  int number; /* of its output files */
} child;

static inline void redirect(int from, const char *name)
{
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, from) < 0) _exit(126);
  close(file);
}

enum { ARGUMENTS = 48 };

static inline child start_list(const char **arg)
{
  child c = {.number = outputs++};
  char *out = at(print_text(".out%d", c.number)), *err = at(print_text(".err%d", c.number));
  const char *path = program_path();
  c.pid = fork();
  if (c.pid == 0) {
    if (chdir(work_folder ? work_folder : folder) != 0) _exit(126);
    redirect(1, out_path ? out_path : out);
    redirect(2, err);
    if (run_as && setuid(run_as) != 0) _exit(126);
    struct rlimit limit = {file_limit, RLIM_INFINITY};
    if (file_limit && setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(126);
    execv(path, (char **)(uintptr_t)arg);
    _exit(127);
  }
  assert_true(c.pid > 0);
  return c;
}

/* runs get one thread, so that tests beside each other are quick */
static inline child start_args(const char *first, va_list args)
{
  const char *arg[ARGUMENTS + 4] = {program_path(), first};
  int n = 2;
  if (strcmp(first, "run") == 0) arg[n++] = "--threads=1"; /* another one later wins */
  for (const char *a; (a = va_arg(args, const char *));) {
    assert_true(n < ARGUMENTS);
    arg[n++] = a;
  }
  return start_list(arg);
}

/* a child that was killed at once has no output files */
static inline char *said(int run, const char *where)
{
  const char *name = print_text(".%s%d", where, run);
  return there(name) ? read_text(name) : print_text("%s", "");
}

static inline outcome finish(child c)
{
  int status = 0;
  assert_int_equal(waitpid(c.pid, &status, 0), c.pid);
  outcome o = {.code = WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status)};
  o.out = said(c.number, "out");
  o.err = said(c.number, "err");
  if (o.code == 127 && !run_as) fail_msg("%s cannot be run", program_path());
  if (contains(o.err, "Sanitizer") || contains(o.err, "runtime error")) fail_msg("%s", o.err);
  return o;
}

/* starts the program with arguments up to a NULL; finish() waits for it */
static inline child start_program(const char *first, ...)
{
  va_list args;
  va_start(args, first);
  child c = start_args(first, args);
  va_end(args);
  return c;
}

static inline outcome program(const char *first, ...)
{
  va_list args;
  va_start(args, first);
  child c = start_args(first, args);
  va_end(args);
  return finish(c);
}

#define assert_exit(o, wanted)                                                                     \
  do {                                                                                             \
    if ((o).code != (wanted))                                                                      \
      fail_msg("exit code %d, expected %d\n%s%s", (o).code, (wanted), (o).out, (o).err);           \
  } while (0)

/* runs a scene of the folder into "out" and must reach its end */
static inline outcome run_to_end(const char *scene)
{
  outcome o = program("run", scene, "-o", "out", NULL);
  assert_exit(o, 0);
  return o;
}

static inline const char *hash_of(const char *run)
{
  return string(read_json(print_text("%s/summary.json", run)), "state_hash");
}

/* ---- the library in this process ---- */

static char notes[65536]; /* what it said since open_scene */

static inline void keep_note(void *ctx, int level, const char *text)
{
  (void)ctx;
  size_t n = strlen(notes);
  snprintf(notes + n, sizeof notes - n, "%s%s\n", level ? "warning: " : "", text);
}

static inline abut_scene *new_scene(void)
{
  abut_settings settings = abut_settings_default();
  settings.threads = 1;
  settings.log = keep_note;
  abut_scene *s;
  notes[0] = '\0';
  assert_int_equal(abut_create(&settings, &s), ABUT_OK);
  assert_true(kept_scenes < SCENES);
  return kept_scene[kept_scenes++] = s;
}

/* a scene from JSON with ' for quotes; paths start from the test's folder */
static inline abut_scene *parse_scene(const char *text)
{
  abut_scene *s = new_scene();
  if (abut_parse(s, text, folder) != ABUT_OK) fail_msg("%s", abut_last_error(s).message);
  return s;
}

#define must(s, call)                                                                              \
  do {                                                                                             \
    abut_status status_ = (call);                                                                  \
    if (status_ != ABUT_OK) {                                                                      \
      abut_error e_ = abut_last_error(s);                                                          \
      fail_msg("%s: status %d: %s: %s", #call, status_, e_.key ? e_.key : "", e_.message);         \
    }                                                                                              \
  } while (0)

static inline abut_report take_steps(abut_scene *s, int64_t steps)
{
  abut_report r;
  must(s, abut_step(s, steps, &r));
  return r;
}

static inline const double *positions(abut_scene *s, const char *name)
{
  const double *x = abut_positions(s, abut_find_body(s, name));
  if (!x) fail_msg("%s", abut_last_error(s).message);
  return x;
}

/* the error of a scene that must be refused when it is built */
static inline abut_error refuse(const char *text, abut_status code)
{
  abut_scene *s = new_scene();
  abut_status status = abut_parse(s, text, folder);
  if (status == ABUT_OK) status = abut_step(s, 0, NULL);
  abut_error e = abut_last_error(s);
  if (status != code) fail_msg("status %d, expected %d: %s\n%s", status, code, e.message, text);
  assert_int_equal(e.code, code);
  return e;
}

#endif

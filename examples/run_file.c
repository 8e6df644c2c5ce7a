/* Runs a scene file into a run folder, verifies it and says what came out:
     run_file SCENE.json FOLDER */
#include <abut.h>
#include <stdio.h>

static void progress(void *ctx, const abut_report *r, double end, double seconds, int64_t frame)
{
  (void)ctx;
  if (frame >= 0) printf("%.3f of %.3f s after %.1f s\n", r->time, end, seconds);
}

static int fail(abut_scene *s, abut_status status)
{
  abut_error e = abut_last_error(s);
  fprintf(stderr, "%s: %s: %s\n", e.file ? e.file : "", e.key ? e.key : "", e.message);
  abut_destroy(s);
  return abut_exit_code(status);
}

int main(int argc, char **argv)
{
  abut_scene *s;
  abut_run_def def = abut_run_def_default();
  const abut_finding *crossing;
  int64_t crossings, frames;
  if (argc != 3) return 2;
  def.folder = argv[2];
  def.progress = progress;
  abut_status status = abut_create(NULL, &s);
  if (status == ABUT_OK) status = abut_load(s, argv[1]);
  if (status == ABUT_OK) status = abut_set(s, "time.end=0.2");
  if (status == ABUT_OK) status = abut_run(s, &def);
  if (status != ABUT_OK) return fail(s, status);
  status = abut_verify(s, argv[2], &crossing, &crossings, &frames);
  if (status != ABUT_OK) return fail(s, status);
  printf("%lld frames, %lld crossings\n", (long long)frames, (long long)crossings);
  abut_destroy(s);
  return crossings ? 3 : 0;
}

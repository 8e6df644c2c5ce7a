/* Spheres fall into a row; stopping from outside by a poll function, and a hash of the state that
   is the same for any number of threads. */
#include <abut.h>
#include <stdio.h>

static bool enough(void *ctx)
{
  int *asked = ctx;
  return ++*asked > 100000;
}

static abut_status fall(int threads, uint64_t *hash)
{
  static const double center[5][3] = {
      {0, 0, 0.1}, {0.02, 0, 0.2}, {0, 0.02, 0.3}, {-0.02, 0, 0.4}, {0, -0.02, 0.5}};
  static const double radius[5] = {0.04, 0.03, 0.04, 0.03, 0.04};
  abut_scene *s;
  int asked = 0;
  abut_settings settings = abut_settings_default();
  settings.threads = threads;
  settings.friction = 0.3;
  settings.poll = enough;
  settings.poll_ctx = &asked;
  abut_status status = abut_create(&settings, &s);
  if (status == ABUT_OK) status = abut_add_spheres(s, "beads", 5, &center[0][0], radius, 250, NULL);
  if (status == ABUT_OK)
    status = abut_add_plane(s, "floor", (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL);
  if (status == ABUT_OK) status = abut_step(s, 50, NULL);
  if (status == ABUT_OK)
    *hash = abut_hash(s);
  else
    fprintf(stderr, "%s\n", abut_last_error(s).message);
  abut_destroy(s);
  return status;
}

int main(void)
{
  uint64_t one = 0, two = 0;
  abut_status status = fall(1, &one);
  if (status == ABUT_OK) status = fall(2, &two);
  if (status != ABUT_OK) return abut_exit_code(status);
  printf("one thread %016llx, two threads %016llx\n", (unsigned long long)one,
         (unsigned long long)two);
  return one == two ? 0 : 1;
}

/* The set of barrier_free does not grow with the distance that contacts are brought to, from 0.1 to
   3 edge lengths of a cloth that is crumpled; the contacts of ipc do, at least ten times. */
#include "physics.h"

#include <stdio.h>
#include <string.h>

static physics crumple(const char *method, double edges)
{
  static const char set[] = "\"dhat\": 0.00333",
                    named[] = "\"barrier_free\", \"push_speed\": 0.1, \"seed\": false";
  FILE *f = fopen(ABUT_SOURCE_DIR "/scenes/barrier_free/crumple.json", "rb");
  char file[8192], text[4 * sizeof file];
  assert_non_null(f);
  file[fread(file, 1, sizeof file - 1, f)] = '\0';
  fclose(f);
  char *name = strstr(file, named), *dhat = strstr(file, set);
  assert_true(name && dhat && name < dhat);
  *name = *dhat = '\0';
  snprintf(text, sizeof text, "%s%s%s\"dhat\": %g%s", file, method, name + strlen(named),
           edges / 30, dhat + strlen(set));
  abut_settings settings = abut_settings_default();
  settings.threads = 1;
  return physics_start(&settings, text);
}

/* largest over smallest, of the largest sets of all runs */
static double growth(const char *method, int steps)
{
  static const double edges[] = {0.1, 0.3, 1, 3};
  int64_t low = INT64_MAX, high = 0;
  for (int k = 0; k < 4; k++) {
    physics p = crumple(method, edges[k]);
    int64_t largest = 0;
    for (int n = 0; n < steps; n++) {
      physics_step(&p);
      int64_t now = physics_sim(&p)->model.options.method->law ? p.r.contacts : p.r.constraints;
      if (now > largest) largest = now;
    }
    print_message("%g edge lengths: at most %lld\n", edges[k], (long long)largest);
    if (largest < low) low = largest;
    if (largest > high) high = largest;
    physics_close(&p);
  }
  assert_true(low > 0);
  return (double)high / (double)low;
}

static void the_set_of_barrier_free_does_not_grow_with_delta(void **state)
{
  (void)state;
  assert_below(growth("\"barrier_free\", \"push_speed\": 0.1, \"seed\": false", 35), 1.5);
}

static void the_contacts_of_ipc_grow_with_dhat(void **state)
{
  (void)state;
  assert_true(growth("\"ipc\"", 7) >= 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_set_of_barrier_free_does_not_grow_with_delta),
      cmocka_unit_test(the_contacts_of_ipc_grow_with_dhat),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

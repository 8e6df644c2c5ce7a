/* A strip of film pinned at one end: a scene as text, stepped, and its positions read. */
#include <abut.h>
#include <stdio.h>

static const char scene[] =
    "{\"abut\": 1, \"time\": {\"step\": 0.02, \"end\": 1},"
    " \"materials\": {\"film\": {\"model\": \"neo_hookean\", \"youngs_modulus\": 1e6,"
    "   \"poissons_ratio\": 0.4, \"density\": 925, \"thickness\": 3e-4}},"
    " \"objects\": [{\"name\": \"strip\", \"kind\": \"shell\", \"material\": \"film\","
    "   \"mesh\": {\"shape\": \"grid\", \"size\": [0.2, 0.04], \"cells\": [20, 4]}}],"
    " \"controls\": [{\"kind\": \"pin\", \"object\": \"strip\","
    "   \"vertices\": {\"box\": [[-0.11, -1, -1], [-0.085, 1, 1]]}},"
    "  {\"kind\": \"drag\", \"object\": \"strip\", \"rate\": 5}]}";

int main(void)
{
  abut_scene *s;
  abut_status status = abut_create(NULL, &s);
  if (status == ABUT_OK) status = abut_parse(s, scene, ".");
  for (int k = 0; k < 5 && status == ABUT_OK; k++) {
    status = abut_step(s, 10, NULL);
    abut_body strip = abut_find_body(s, "strip");
    const double *x = abut_positions(s, strip);
    int32_t tip = abut_vertex_count(s, strip) - 1;
    if (x)
      printf("%.1f s: tip at %.4f %.4f %.4f m\n", abut_time(s), x[3 * tip], x[3 * tip + 1],
             x[3 * tip + 2]);
  }
  if (status != ABUT_OK) fprintf(stderr, "%s\n", abut_last_error(s).message);
  abut_destroy(s);
  return abut_exit_code(status);
}

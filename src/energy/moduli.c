#include "energy/moduli.h"

static abut_status check(abut_context *ctx, const abut_term_input *in)
{
  if (!(in->young > 0 && isfinite(in->young)))
    return abut_fail(ctx, ABUT_BAD_FORMAT, "youngs_modulus is %g Pa; it must be positive",
                     in->young);
  if (!(in->poisson > -1 && in->poisson < 0.5))
    return abut_fail(ctx, ABUT_BAD_FORMAT,
                     "poissons_ratio is %g; it must lie between -1 and 0.5, both excluded",
                     in->poisson);
  return ABUT_OK;
}

abut_status abut_lame_shell(abut_context *ctx, const abut_term_input *in, abut_lame *out)
{
  ABUT_TRY(check(ctx, in));
  if (!(in->thickness > 0 && isfinite(in->thickness)))
    return abut_fail(ctx, ABUT_BAD_FORMAT, "thickness is %g m; a shell needs a positive one",
                     in->thickness);
  double nu = in->poisson, stretch = in->young * in->thickness;
  out->mu = stretch / (2 * (1 + nu));
  out->lam = stretch * nu / (1 - nu * nu);
  return ABUT_OK;
}

abut_status abut_lame_solid(abut_context *ctx, const abut_term_input *in, abut_lame *out)
{
  ABUT_TRY(check(ctx, in));
  double nu = in->poisson;
  out->mu = in->young / (2 * (1 + nu));
  out->lam = in->young * nu / ((1 + nu) * (1 - 2 * nu));
  return ABUT_OK;
}

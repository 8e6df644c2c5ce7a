#!/bin/sh
# Fails when docs/scene.md does not name a key that the scene reader knows.
cd "$(dirname "$0")/.." || exit 1
bad=0 count=0
for key in $(grep -h -o '"[a-z_]*", ABUT_KEY_' src/io/scene_*.c | cut -d '"' -f 2 | sort -u); do
  count=$((count + 1))
  grep -q -e "\`$key\`" -e "\"$key\"" docs/scene.md && continue
  echo "docs/scene.md does not name the key $key"
  bad=1
done
[ $bad = 0 ] && echo "scene keys: all $count are in docs/scene.md"
exit $bad

#!/bin/sh
# Makes the pictures and the long table of these pages and of the README. Usage: docs/figures.sh PATH/TO/rope
set -eu
rope=$(realpath "$1")
cd "$(dirname "$0")/figures"
"$rope" decay --base 10000 --dim 128 -o decay.png --size 1600x1000
"$rope" decay --base 10000 --base 100000 --base 500000 --base 1000000 \
  --distances 1:131072:log400 -o decay_bases.png --title "Larger bases decay later"
"$rope" decay --family linear --distances 0:1000 -o families.png \
  --title "A linear family revives: θ = i/64"
"$rope" decay --axes 32,32 --map -o decay_map.png
"$rope" wavelengths --dim 128 --context 4096 -o wavelengths.png
"$rope" matrix --dim 32 --positions 1,8,64,512 -o matrix.png
"$rope" precision --policy float64,float32,bfloat16-table,bfloat16-positions,float16-positions \
  --policy bfloat16-frequencies,tf32,ggml --max-position 1M -o precision.png > /dev/null
all=float64,float64-pairwise,float32,float32-pairwise,bfloat16-store,bfloat16-table,float16-table
all=$all,bfloat16-cache,bfloat16-positions,float16-positions,bfloat16-frequencies,tf32,ggml,ggml-cuda
all=$all,float64-angle,float64-angle-bfloat16,float32-frequencies,float64-reduced,float8-store
"$rope" precision --max-position 1e15 --policy $all --details -o /dev/null --format csv |
  sed '/^wrote/d' > precision.txt
"$rope" precision --policy float32,bfloat16-table,bfloat16-positions,ggml --max-position 1M --view pairs \
  -o precision_pairs.png > /dev/null
"$rope" extend --from 2048 --to 8192 -o extend.png > /dev/null
"$rope" extend --from 2048 --to 8192 --view fans -o extend_fans.png > /dev/null
"$rope" inspect llama-3.1-8b -o inspect.png > /dev/null
"$rope" compare -o compare.png > /dev/null
"$rope" score --view grid --encoding rope --encoding sinusoidal -o score_grid.png > /dev/null
for encoding in none sinusoidal learned shaw transformer-xl t5 alibi rope partial-rope p-rope xpos rerope \
  leaky-rerope
do "$rope" compare --encoding $encoding -o encoding_$encoding.png --size 1200x620 > /dev/null
done
"$rope" attention --view shuffle -o attention_shuffle.png > /dev/null
"$rope" rotate --distance -3 --pairs 0,20,63 --positions 0:8 -o turning.png > /dev/null
"$rope" rotate --view clocks --positions 100 -o clocks.png > /dev/null
for topic in product euler taylor conjugate space
do "$rope" rotate --primer $topic -o primer_$topic.png > /dev/null
done
# Whole turns in 48 frames, so that the end meets the beginning.
"$rope" rotate --break sign --frequencies 0.392699,0.2617994,0.1308997 --pairs 0:2 --positions 0:47 \
  --title "q and k turn, the angle between them stays. Dashed: one sign is wrong" --size 880x410 \
  --animate --pace 120 --times 0 -o break.png > /dev/null

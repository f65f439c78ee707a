// The pair that the first steps share: θ = 0.5, q = (1, 2), k = (3, −1).
export const THETA = 0.5;
export const PAIR = ['--frequencies', '0.5', '--query', '1,2', '--key', '3,-1'];
export const REACH = 3.45;

export const arrowsAt = (data, position) => data.arrows.find((a) => a.position === position);
export const angleOf = (x, y) => Math.atan2(y, x);

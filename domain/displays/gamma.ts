/** The steps of a display's gamma (P2 §5: 1.8 to 2.6 in steps of 0.2); nothing between them can be chosen. */
export const GAMMA_VALUES = [1.8, 2, 2.2, 2.4, 2.6] as const

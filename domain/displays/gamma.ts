/** The gamma of a display is one of these (rules/setup 6); nothing between them can be chosen. */
export const GAMMA_VALUES = [1.8, 2, 2.2, 2.4, 2.6] as const

export const GROUNDS = { dark: '#121a22', light: '#ffffff' } as const

/** Lines need this contrast to their background (WCAG 1.4.11). */
const LEAST_CONTRAST = 3

/** The contrast of two colours, `#rrggbb`, is from 1 to 21 (WCAG). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((low, high) => low - high)
  return (lighter + 0.05) / (darker + 0.05)
}

export function faintIn(drawn: (scheme: keyof typeof GROUNDS) => string): readonly (keyof typeof GROUNDS)[] {
  const schemes = ['dark', 'light'] as const
  return schemes.filter((scheme) => contrastOf(drawn(scheme), GROUNDS[scheme]) < LEAST_CONTRAST)
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

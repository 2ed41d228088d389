import { useScheme } from '#console/ui/style/scheme.ts'

/** A canvas reads no CSS variables: these are the tokens of both themes. */
const COLOURS = {
  dark: { crit: '#ff7066', warn: '#f5b83d', brand: '#35c4e8', off: '#9aabba' },
  light: { crit: '#c2261d', warn: '#8a5a00', brand: '#00708f', off: '#526272' },
}

export const useToneColours = () => COLOURS[useScheme()]

/** A file of tests, those in it whose title has these words, or the short run of a campaign. */
export type Finder =
  | string
  | Readonly<{ file: string; title: string }>
  | Readonly<{ campaign: string; options?: readonly string[] }>

/** A fault is a small edit that a tired engineer could make, and that the suite has to notice. */
export type Fault = Readonly<{
  name: string
  file: string
  /** The text stands in the file exactly once. */
  replace: string
  by: string
  /** The quickest comes first; each of them alone finds the fault. */
  foundBy: readonly [Finder, ...Finder[]]
}>

export const wordsOf = (finder: Finder): string => {
  if (typeof finder === 'string') return finder
  return 'campaign' in finder ? `campaign ${finder.campaign}` : `${finder.file}: ${finder.title}`
}

export function areaOf({ foundBy: [first] }: Fault): string {
  if (typeof first !== 'string' && 'campaign' in first) return 'trials'
  const file = typeof first === 'string' ? first : first.file
  return file.split('/', 1)[0] ?? ''
}

const VERDICT = /^.*? is dark: (.*)$/
const NO_PICTURE = /^the display gets no picture from its computer$/i
const FEEDS = /, which feeds the [^,]+,/
/** Names that people gave keep their capitals. */
const USUAL_WORDS = /^(The|It|An|A|Every|Nothing|Mains|Backlight|Power switch|Relay|Router|Network switch) ?/

/**
 * Returns why it is dark as the title of an incident or a row: `Front display is dark: the display gets no picture from
 * its computer.` is "Dark: no picture from the computer".
 */
export function darkTitle(verdict: string): string {
  const [first = ''] = (VERDICT.exec(verdict)?.[1] ?? verdict).split(/\.(?: |$)/)
  const clause = first.replace(FEEDS, '')
  if (NO_PICTURE.test(clause)) return 'Dark: no picture from the computer'
  return clause === '' ? 'Dark' : `Dark: ${clause.replace(USUAL_WORDS, (word) => word.toLowerCase())}`
}

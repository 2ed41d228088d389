const LONGEST = 300
/** Node.js ends what it says about a crash with its own version, or with addresses where its memory ran out. */
const NOT_TELLING = /^(Node\.js v|\s*at |\s*\d+: 0x|-{3,}|\s*$)/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z /

/** Hears what a program writes, and remembers the line that tells most about its end. */
export function createLastOutput() {
  let rest = ''
  let last = ''
  let error = ''
  const hearLine = (line: string) => {
    if (NOT_TELLING.test(line)) return
    last = line
    if (/^(\w*(Error|Exception)\b.*: |FATAL ERROR: )/.test(line)) error = line
  }
  return {
    hear: (text: string) => {
      const lines = (rest + text).split('\n')
      rest = (lines.pop() ?? '').slice(-10_000)
      lines.forEach(hearLine)
    },
    /** Empty when nothing was said. */
    tell: () => {
      hearLine(rest)
      return (error || last).replace(TIME, '').trim().slice(0, LONGEST)
    },
  }
}

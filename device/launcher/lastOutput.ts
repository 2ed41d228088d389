const LONGEST = 300
/** Node.js ends its crash output with its own version, or with addresses if it ran out of memory. */
const NOT_TELLING = /^(Node\.js v|\s*at |\s*\d+: 0x|-{3,}|\s*$)/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z /

/** Reads a program's output and remembers the line that says most about its end. */
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
    /** Empty when there was no output. */
    tell: () => {
      hearLine(rest)
      return (error || last).replace(TIME, '').trim().slice(0, LONGEST)
    },
  }
}

export type Statement = Readonly<{
  /** The text is in lower case on one line without comments or quoted text; a `do` block stays. */
  text: string
  line: number
}>

const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|(\$\w*\$)([\s\S]*?)\1|"(?:[^"]|"")*"|;|[^-/'$";]+|[\s\S]/g

const isComment = (token: string) => token.startsWith('--') || token.startsWith('/*')

/** Takes SQL apart at the semicolons that end statements. Each stays as it is written; what is only a comment is left out. */
export function statementTexts(sql: string): string[] {
  const texts: string[] = []
  let [text, isStatement] = ['', false]
  const end = () => {
    if (isStatement) texts.push(text)
    text = ''
    isStatement = false
  }
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ';') {
      end()
      continue
    }
    text += token
    isStatement ||= !isComment(token) && token.trim() !== ''
  }
  end()
  return texts
}

export function statementsIn(sql: string): readonly Statement[] {
  const found: Statement[] = []
  let text = ''
  let begin = 0
  const end = () => {
    const plain = text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
    if (plain !== '') found.push({ text: plain, line: sql.slice(0, begin).split('\n').length })
    text = ''
  }
  for (const { 0: token, 2: body, index } of sql.matchAll(TOKEN)) {
    if (token === ';') {
      end()
      continue
    }
    const kept = isComment(token) ? ' ' : token.startsWith("'") ? "''" : body === undefined ? token : bodyOf(text, body)
    if (text.trim() === '') begin = index + (kept.length - kept.trimStart().length)
    text += kept
  }
  end()
  return found
}

/** The body of a function runs later, so it is left out. */
const bodyOf = (before: string, body: string) => (/^\s*do\b/i.test(before) ? body.replaceAll(';', ' ; ') : "''")

/** Splits a list at the commas that stand in no brackets. */
export function partsOf(list: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const letter of list) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}

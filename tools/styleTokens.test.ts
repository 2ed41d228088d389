import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const CONSOLE = new URL('../console/', import.meta.url)

/** What a style sheet may say of sizes of text and of paddings: one of the tokens, or a measure that has a name. */
const ALLOWED = {
  'font-size': /^(0|var\(--text-\w+\)|inherit)$/,
  padding: /^(0|var\(--[\w-]+\)|\s)+$/,
}
/** The letters of the narrow font are larger than those beside them. */
const IN_PROPORTION = /^0\.92em$/

test('sizes of text and paddings are tokens', () => {
  const odd = globSync('**/*.css', { cwd: CONSOLE }).flatMap((path) =>
    declarations(readFileSync(new URL(path, CONSOLE), 'utf8'))
      .filter(({ name, value }) => !isToken(name, value))
      .map(({ line, name, value }) => `${path}:${line} ${name}: ${value}`),
  )
  expect(odd).toEqual([])
})

test('a size beside the tokens is found', () => {
  const sheet = 'a {\n  font-size: 14px;\n  padding: 0 10px;\n  padding-left: var(--pad);\n}\nb { padding: 3px }'
  expect(declarations(sheet).filter(({ name, value }) => !isToken(name, value))).toEqual([
    { line: 2, name: 'font-size', value: '14px' },
    { line: 3, name: 'padding', value: '0 10px' },
    { line: 6, name: 'padding', value: '3px' },
  ])
})

const declarations = (sheet: string) =>
  [...sheet.matchAll(/(?<=[\s{;])(font-size|padding[\w-]*)\s*:\s*([^;}]+)/g)].map((found) => ({
    line: sheet.slice(0, found.index).split('\n').length,
    name: found[1] as string,
    value: (found[2] as string).trim(),
  }))

const isToken = (name: string, value: string) =>
  name === 'font-size' ? ALLOWED[name].test(value) || IN_PROPORTION.test(value) : ALLOWED.padding.test(value)

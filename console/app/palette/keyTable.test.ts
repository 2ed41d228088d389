import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXAMPLES } from '#domain/questions/taught.ts'
import { KEY_TABLE } from './keyTable.ts'

const guide = readFileSync('docs/guide/operate/keys.md', 'utf8')

test('the guide has every key and what it does, as the list behind the question mark', () => {
  const rows = KEY_TABLE.flatMap(({ where, lines }) =>
    lines.map(({ keys, second, meaning }, index) => {
      const pressed = keys.map((key) => `\`${key}\``).join(' ') + (second === undefined ? '' : ` \`${second}\``)
      return `| ${index === 0 ? where : ''} | ${pressed} | ${meaning} |`.replace('|  |', '| |')
    }),
  )
  expect(guide).toContain(rows.join('\n'))
})

test('the guide has every example of what lists can be asked', () => {
  expect(EXAMPLES.filter((example) => !guide.includes(`\`${example}\``))).toEqual([])
})

test('no two lines share their keys', () => {
  const does = KEY_TABLE.flatMap(({ lines }) => lines).filter((line) => line.does !== undefined)
  const pressed = does.flatMap(({ keys, second = '' }) => keys.map((key) => `${key} ${second}`))
  expect(new Set(pressed).size).toBe(pressed.length)
})

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const PAGE = new URL('../docs/security/asvs.md', import.meta.url)
const page = readFileSync(PAGE, 'utf8')
const rows = [...page.matchAll(/^\| (V\d+\.\d+\.\d+) \| ([12]) \| [^|]+ \| (yes|partly|no) \| (.+) \|$/gm)]

/** What a link of this page says, and the file that it leads to. */
const cited = [...page.matchAll(/\[([^\]]+)\]\((\.\.?\/[^)#]+)(?:#[^)]*)?\)/g)].map(([, words = '', path = '']) => ({
  words,
  path: fileURLToPath(new URL(path, PAGE)),
}))
const isTest = ({ path }: { readonly path: string }) => /\.test\.tsx?$/.test(path)

test('each test that the page of ASVS names is there, by its words', () => {
  expect(cited.filter(({ path }) => !existsSync(path)).map(({ path }) => path)).toEqual([])
  const named = cited.filter((one) => isTest(one) && one.words !== 'a test')
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ words, path }) => !readFileSync(path, 'utf8').includes(words))).toEqual([])
})

test('each requirement stands once, with its level, and the numbers above are those of the tables', () => {
  const ids = rows.map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const wanted of ['1', '2']) {
    const count = (held?: string) =>
      rows.filter(([, , level, is]) => level === wanted && (held === undefined || is === held)).length
    expect(page).toContain(`| ${wanted} | ${count('yes')} | ${count('partly')} | ${count('no')} | ${count()} |\n`)
  }
})

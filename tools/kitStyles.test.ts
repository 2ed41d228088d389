import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const KIT = new URL('../node_modules/@mantine/core/', import.meta.url)
const CONSOLE = new URL('../console/', import.meta.url)
const styles = readFileSync(new URL('ui/kit/kitStyles.ts', CONSOLE), 'utf8')

test('each part of the kit that the console draws has its styles', () => {
  const drawn = globSync('**/*.tsx', { cwd: CONSOLE })
    .flatMap((path) => [
      ...readFileSync(new URL(path, CONSOLE), 'utf8').matchAll(/^import \{(.*)\} from '@mantine\/core'/gm),
    ])
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
  const styled = [...new Set(drawn)].filter((name) => existsSync(new URL(`styles/${name}.layer.css`, KIT)))
  expect(styled).toContain('Modal')
  expect(styled.filter((name) => !styles.includes(`/${name}.layer.css'`))).toEqual([])
})

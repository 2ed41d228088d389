import { expect, test } from 'vitest'
import { installFileName, readInstallFileName, readSums, sumsText } from './installFiles.ts'

const sha256 = 'ab'.repeat(32)
const deb = { version: '1.2.3', architecture: 'arm64', form: 'deb' } as const

test('a package says in its name what it is, and no other name is one', () => {
  expect(readInstallFileName(installFileName(deb))).toEqual(deb)
  for (const name of ['wayside-client_1.2_arm64.deb', 'wayside-client_1.2.3_mips.deb', '../SHA256SUMS', '']) {
    expect(readInstallFileName(name)).toBeUndefined()
  }
})

test('a list of sums is read back as it was written, and a list with anything else in it is none', () => {
  const fileName = installFileName(deb)
  const text = sumsText([{ fileName, sha256 }])
  expect(readSums(text)).toEqual([{ fileName, sha256, ...deb }])
  for (const other of ['', text.trimEnd(), `${text}\n`, `${text}${sha256}  /etc/passwd\n`, text.replace('  ', ' *')]) {
    expect(readSums(other)).toBeUndefined()
  }
})

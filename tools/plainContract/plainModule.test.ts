import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CALLS } from '#contract/http/table.ts'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))
const modules = JSON.parse(
  execFileSync(process.execPath, [program], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
) as Readonly<Record<string, string>>

test('the console has every call of the contract, and nothing of it needs another module', async () => {
  const found = await Promise.all(
    Object.values(modules).map((text) => import(`data:text/javascript,${encodeURIComponent(text)}`)),
  )
  const paths = found.flatMap((exports) => Object.values(exports).map((value) => (value as { path?: string }).path))
  expect(CALLS.map(({ path }) => path).filter((path) => !paths.includes(path))).toEqual([])
})

test('a call says how to make it, what its answer tells of, and what its fields have to be when it changes something', async () => {
  const customer = await import(
    `data:text/javascript,${encodeURIComponent(modules['contract/http/people/customers.ts'] ?? '')}`
  )
  expect(customer.listCustomerRecords).toEqual({
    method: 'GET',
    path: 'Customer/GetCustomerRecordList',
    permission: 'staffAdmin',
    shows: ['Customer', 'Device', 'User'],
  })
  expect(customer.setCustomer.fields.name).toEqual({
    text: [['max', 200], 'keepable', 'trim', 'oneLine', ['min', 1]],
    mayBeAbsent: true,
  })
})

import { expect, test } from 'vitest'
import { acknowledgeAlert } from '#contract/http/alerting/alerts.ts'
import { listDevices } from '#contract/http/devices/devices.ts'
import { getAnalyticsTable } from '#contract/http/insight/analytics.ts'
import { provePlays } from '#contract/http/insight/lightProofs.ts'
import { CLIENT_CALLS } from '../client/makeClient.ts'
import { inputFrom, UsageError, usageOf } from './cliOptions.ts'

test('no option of a call is taken for one of the program itself', () => {
  const own = /^ {2}--(server|token-file|help) /m
  expect(CLIENT_CALLS.filter((call) => own.test(usageOf(call))).map(({ path }) => path)).toEqual([])
})

test('options are typed as the fields are, and words of a filter stand for it', () => {
  expect(inputFrom(listDevices, ['--on-battery', '--row-num=2', '--tags', 'vip,line 7', '--descending'])).toEqual({
    query: { filter: 'onBattery', rowNum: 2, tags: ['vip', 'line 7'], descending: true },
    body: {},
  })
  expect(inputFrom(acknowledgeAlert, ['--id', '41', '--note', '17']).body).toEqual({ id: 41, note: '17' })
})

test('an option takes what a file holds', () => {
  const file = new URL(import.meta.url).pathname
  expect(inputFrom(provePlays, ['--plays-file', file]).body.plays).toContain('an option takes what a file holds')
  expect(() => inputFrom(provePlays, ['--plays-file', '/nowhere.csv'])).toThrow('/nowhere.csv cannot be read.')
})

test('what is not understood is said with the option that it is about', () => {
  const said = (...words: string[]) => {
    try {
      inputFrom(listDevices, words)
    } catch (error) {
      return error instanceof UsageError ? error.message : 'a fault'
    }
    return ''
  }
  expect(said('--row-num', '0')).toMatch(/^--row-num: /)
  expect(said('--nothing', '1')).toMatch(/^There is no option --nothing/)
  expect(said('dark')).toMatch(/^"dark" belongs to no option/)
  expect(() => inputFrom(getAnalyticsTable, [])).toThrow(/^--/)
})

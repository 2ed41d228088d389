import { expect, test } from 'vitest'
import { CallFailed } from './CallFailed.ts'
import { fieldErrorsOf } from './fieldErrors.ts'

const LABELS = { name: 'Name', internalIp: 'Internal IP' }
const refused = (message: string) => new CallFailed('invalid_request', 400, message)

test('each sentence of the server goes to its field, under the name that people read', () => {
  expect(fieldErrorsOf(refused('name is required; This field internalIp is not a valid IP address.'), LABELS)).toEqual({
    name: 'Name is required',
    internalIp: 'This field Internal IP is not a valid IP address.',
  })
})

test('a sentence about something that is no field of the form makes it a failure as a whole', () => {
  expect(fieldErrorsOf(refused('name is required; body is not valid'), LABELS)).toBeUndefined()
})

test('a failure of another kind is not about fields', () => {
  expect(fieldErrorsOf(new CallFailed('not_found', 404, 'name'), LABELS)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { notAnEmail, notAnIpAddress, notValid, required } from './messages.ts'

test('the generic messages stay word for word (rules/messages 1)', () => {
  expect([required('Name'), notAnEmail('Email'), notAnIpAddress('Internal IP'), notValid('Gamma')]).toEqual([
    'Name is required',
    'This field Email is not a valid email.',
    'This field Internal IP is not a valid IP address.',
    'Gamma is not valid',
  ])
})

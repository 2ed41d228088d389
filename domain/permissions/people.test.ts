import { expect, test } from 'vitest'
import type { CustomerId } from '../ids.ts'
import { FUNCTION, type FunctionId } from './functions.ts'
import { customerOfUser, isActiveStaffAdmin, mayGrant, mayManage, maySetLab } from './people.ts'
import { type Authority, isAllowed } from './permissions.ts'

const HERE = 3 as CustomerId
const ELSEWHERE = 4 as CustomerId
const staff = (...functions: FunctionId[]): Authority => ({ functions, isLab: false, isInternal: false })
const ofCustomer = (...functions: FunctionId[]): Authority => ({ ...staff(...functions), customerId: HERE })
const ALL = Object.values(FUNCTION)

test('a staff admin hands out every function, held by name or not', () => {
  expect(mayGrant(staff(FUNCTION.admin), ALL)).toBe(true)
})

test("a customer's admin hands out exactly what their own role names", () => {
  const admin = ofCustomer(FUNCTION.admin, FUNCTION.analytics)
  expect(mayGrant(admin, [])).toBe(true)
  expect(mayGrant(admin, [FUNCTION.analytics])).toBe(true)
  expect(mayGrant(admin, [FUNCTION.admin, FUNCTION.analytics])).toBe(true)
  for (const other of [FUNCTION.deviceManager, FUNCTION.createDevice, FUNCTION.receiveEmailNotifications]) {
    expect(mayGrant(admin, [FUNCTION.analytics, other])).toBe(false)
  }
})

test("a customer's admin who manages devices lets others see them, and not the other way round", () => {
  expect(mayGrant(ofCustomer(FUNCTION.admin, FUNCTION.deviceManager), [FUNCTION.seeDevices])).toBe(true)
  expect(mayGrant(ofCustomer(FUNCTION.admin, FUNCTION.seeDevices), [FUNCTION.deviceManager])).toBe(false)
  expect(mayGrant(ofCustomer(FUNCTION.admin), [FUNCTION.seeDevices])).toBe(false)
})

test('nobody without the function Admin hands out anything, not even what they hold or nothing at all', () => {
  for (const authority of [staff(2, 3, 5, 7), ofCustomer(2, 3, 5, 7), staff()]) {
    expect(mayGrant(authority, [FUNCTION.deviceManager])).toBe(false)
    expect(mayGrant(authority, [])).toBe(false)
    expect(mayManage(authority, { functions: [] })).toBe(false)
  }
})

test("a user who may do more than a customer's admin is not theirs to manage", () => {
  expect(mayManage(ofCustomer(1, 2), { functions: [2] })).toBe(true)
  expect(mayManage(ofCustomer(1, 2), { functions: [2, 5] })).toBe(false)
})

test('only staff admins concern themselves with all customers and with the lab', () => {
  expect([maySetLab(staff(1)), maySetLab(ofCustomer(1)), maySetLab(staff(2, 3, 5, 7))]).toEqual([true, false, false])
  expect(isAllowed('staffAdmin', staff(1))).toBe(true)
  expect(isAllowed('staffAdmin', ofCustomer(1))).toBe(false)
  expect(isAllowed('staffAdmin', staff(2, 3, 5, 7))).toBe(false)
  expect(isAllowed('staffAdmin', undefined)).toBe(false)
})

test("a user of a customer's admin belongs to that customer, and no other customer is found", () => {
  for (const asked of [undefined, null, HERE]) {
    expect(customerOfUser(ofCustomer(1), asked, HERE)).toBe(HERE)
    expect(customerOfUser(ofCustomer(1), asked, null)).toBe(HERE)
  }
  expect(customerOfUser(ofCustomer(1), ELSEWHERE, HERE)).toBeUndefined()
  expect(customerOfUser(staff(1), undefined, HERE)).toBe(HERE)
  expect(customerOfUser(staff(1), null, HERE)).toBeNull()
  expect(customerOfUser(staff(1), ELSEWHERE, HERE)).toBe(ELSEWHERE)
})

test('an installation is kept by staff admins who can sign in', () => {
  const admin = { customerId: null, functions: [FUNCTION.admin], isDisabled: false, hasPassword: true }
  expect(isActiveStaffAdmin(admin)).toBe(true)
  expect(isActiveStaffAdmin({ ...admin, isDisabled: true })).toBe(false)
  expect(isActiveStaffAdmin({ ...admin, hasPassword: false })).toBe(false)
  expect(isActiveStaffAdmin({ ...admin, customerId: HERE })).toBe(false)
  expect(isActiveStaffAdmin({ ...admin, functions: [2, 3, 5, 7] })).toBe(false)
})

import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { lookupCall } from '#contract/call/lookupCall.ts'
import { namedValue } from '#contract/call/values.ts'

export const listCustomers = call({
  method: 'GET',
  path: 'Customer/GetCustomerList',
  summary: 'Customers the caller may see.',
  permission: 'signedIn',
  shows: ['Customer'],
  /** `isActive` is present only when it is false: such a customer gets no new devices and users. */
  answer: z.array(namedValue.extend({ isActive: z.literal(false).optional() })),
})
export const listCountries = lookupCall('Country/GetCountryList', 'Countries.')
export const listDeviceModels = lookupCall('Device/GetDeviceModelLkpList', 'Device models.')
export const listDeviceStatuses = lookupCall('Device/GetDeviceStatusList', 'Statuses of a device.')
export const listConnectionStatuses = lookupCall('Device/GetConnectedStatusList', 'Connection statuses.')
export const listEventTypes = lookupCall('EventType/GetEventTypeList', 'Kinds of reports, as field groups.')
export const listComponentModels = call({
  method: 'GET',
  path: 'Device/GetComponentModelList',
  summary: 'Component models with their categories; the offered ones can be added to a device.',
  permission: 'signedIn',
  shows: [],
  answer: z.array(
    namedValue.extend({ categoryId: z.number().int(), categoryName: z.string(), isOffered: z.boolean() }),
  ),
})

import { z } from 'zod'
import { DEVICE_SORT_COLUMNS, type DeviceSortColumn } from '#contract/call/listOptions.ts'
import { textValue } from '#contract/call/values.ts'
import { notValid } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'
import { readPageKey } from '#server/http/reading/pages.ts'

/** The end of a page: its sort, and the place of the last row in it. */
const deviceListKey = z.strictObject({
  sort: z.enum(DEVICE_SORT_COLUMNS),
  descending: z.boolean(),
  /** It is undefined when the list is sorted by name. */
  rank: z.union([z.number(), textValue(2000)]).optional(),
  /** The name in lower case, as it is compared. */
  name: textValue(2000),
  id: z.int32(),
})
export type DeviceListKey = z.output<typeof deviceListKey>

/** @throws CallError `invalid_request` when the text is no key, or one of another sort */
export function readKey(text: string, sort: DeviceSortColumn, isDescending: boolean): DeviceListKey {
  const key = readPageKey(text, deviceListKey)
  if (key.sort !== sort || key.descending !== isDescending) throw new CallError('invalid_request', notValid('next'))
  return key
}

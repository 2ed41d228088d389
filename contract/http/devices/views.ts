import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { DEVICE_SORT_COLUMNS } from '#contract/call/listOptions.ts'
import { customerIdValue, nameValue, roleIdValue, textValue } from '#contract/call/values.ts'
import { deviceFilter } from './devices.ts'

export const LONGEST_VIEW_NAME = 60
export const MOST_VIEWS = 100

export const VIEW_PAGES = ['devices', 'locations'] as const
export type ViewPage = (typeof VIEW_PAGES)[number]

const viewIdValue = z.int32().positive()

/** A view restores what the address of its page says. */
export const viewContent = z.strictObject({
  filter: deviceFilter,
  sort: z.enum(DEVICE_SORT_COLUMNS).optional(),
  descending: z.literal(true).optional(),
  /** The columns in their order. Another version of the console may not know all of them. */
  columns: z.array(textValue(40).min(1)).min(1).max(40).optional(),
  density: z.literal('compact').optional(),
  at: textValue(60).min(1).optional(),
})
export type ViewContent = z.output<typeof viewContent>

/** A view is shared with everybody of a role, or of a customer. */
export const viewShare = z.discriminatedUnion('with', [
  z.strictObject({ with: z.literal('role'), id: roleIdValue }),
  z.strictObject({ with: z.literal('customer'), id: customerIdValue }),
])

/** A part of a view is left out because its filter names a customer that the caller may not see, or cannot be read. */
export const LOST_PARTS = ['customer', 'filter'] as const

export const savedView = z.object({
  id: viewIdValue,
  name: z.string(),
  /** The filter is missing if it is lost. */
  content: viewContent,
  lost: z.enum(LOST_PARTS).nullable(),
  isOwn: z.boolean(),
  /** Empty when the caller may not know the owner. */
  ownerName: z.string(),
  share: viewShare.nullable(),
  shareName: z.string(),
  /** Whether the caller may overwrite, share and delete it. */
  mayChange: z.boolean(),
})
export type SavedView = z.output<typeof savedView>

export const listViews = call({
  method: 'GET',
  path: 'View/GetViewList',
  summary:
    "Views of a page by name, one's own and those that are shared with oneself, and which of them is the default.",
  permission: 'seeDevices',
  shows: ['View', 'User', 'Role', 'Customer'],
  query: z.strictObject({ page: z.enum(VIEW_PAGES) }),
  answer: z.object({
    views: z.array(savedView),
    /** The view that opens with the page; null for none. */
    defaultId: viewIdValue.nullable(),
    /** True when the default was deleted, or is no longer shared with the caller. */
    isDefaultLost: z.boolean(),
  }),
})

export const setView = call({
  method: 'POST',
  path: 'View/SetView',
  summary:
    'Keep a view (id absent, 0 or negative), or change one; answers its id. Staff admins share with roles, staff and the admins of a customer with a customer.',
  permission: 'deviceManager',
  body: z.strictObject({
    id: z.int32().default(0),
    page: z.enum(VIEW_PAGES),
    name: nameValue(LONGEST_VIEW_NAME),
    content: viewContent,
    /** Only its owner sees a view without a share. */
    share: viewShare.nullable().optional(),
  }),
  answer: z.number().int(),
  errors: ['not_found', 'view_name_taken', 'too_many_views'],
  changes: { action: 'Update', entity: 'View' },
})

export const deleteView = call({
  method: 'POST',
  path: 'View/DelView',
  summary: 'Delete a view, for everybody it is shared with.',
  permission: 'deviceManager',
  body: z.strictObject({ id: viewIdValue }),
  answer: nothing,
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'View' },
})

export const setDefaultView = call({
  method: 'POST',
  path: 'View/SetDefaultView',
  summary: "Choose which view opens with a page when its address says nothing; null: none. Changes nobody else's.",
  permission: 'deviceManager',
  body: z.strictObject({ page: z.enum(VIEW_PAGES), id: viewIdValue.nullable() }),
  answer: nothing,
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'View' },
})

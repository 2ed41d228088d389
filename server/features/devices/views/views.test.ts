import { expect, test } from 'vitest'
import type { AnswerOf, BodyOf } from '#contract/call/call.ts'
import { type listViews, MOST_VIEWS, type setView } from '#contract/http/devices/views.ts'
import type { CustomerId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const [ours, theirs] = [await addCustomer(api.pool, 'Ours'), await addCustomer(api.pool, 'Theirs')] as CustomerId[]
const people = {
  boss: await api.signedIn({ username: 'boss@staff.example', functions: [1] }),
  manager: await api.signedIn({ username: 'manager@staff.example', functions: [2] }),
  ourBoss: await api.signedIn({ username: 'boss@ours.example', functions: [1], customerId: ours as CustomerId }),
  our: await api.signedIn({ username: 'our@ours.example', functions: [2], customerId: ours as CustomerId }),
  their: await api.signedIn({ username: 'their@theirs.example', functions: [2], customerId: theirs as CustomerId }),
}
type Person = keyof typeof people
type View = BodyOf<typeof setView>

const post = (who: Person, call: string, body: object) =>
  ask(api, `View/${call}`, { token: people[who], method: 'POST', body })
const set = (who: Person, view: Partial<View> & Pick<View, 'name'>) =>
  post(who, 'SetView', { page: 'devices', content: { filter: {} }, ...view })
const added = async (who: Person, view: Partial<View> & Pick<View, 'name'>): Promise<number> =>
  (await set(who, view)).json()
const listed = async (who: Person, page = 'devices'): Promise<AnswerOf<typeof listViews>> =>
  (await ask(api, 'View/GetViewList', { token: people[who], query: { page } })).json()
const names = async (who: Person, page?: string) => (await listed(who, page)).views.map(({ name }) => name)
const find = async (who: Person, id: number) => (await listed(who)).views.find((view) => view.id === id)
const outcome = (answer: { statusCode: number; json: () => { code?: string } }) =>
  answer.statusCode === 200 ? 200 : answer.json().code
const roleOf = async (username: string) =>
  (await api.pool.query('select role_id from app_user where username = $1', [username])).rows[0].role_id
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]

test('a view keeps filter, order, columns, density and place, and is its owner’s alone', async () => {
  const content: View['content'] = {
    filter: { filter: 'dark', search: 'berlin', connStatusId: 0, customerId: ours as CustomerId },
    sort: 'alerts',
    descending: true,
    columns: ['name', 'why', 'no longer there'],
    density: 'compact',
    at: '52.5_13.4_10',
  }
  const id = await added('our', { name: '  Berlin dark ', content })
  expect(await find('our', id)).toEqual({
    id,
    name: 'Berlin dark',
    content,
    lost: null,
    isOwn: true,
    ownerName: 'our@ours.example',
    share: null,
    shareName: '',
    mayChange: true,
  })
  expect(await lastAudit()).toMatchObject({ entity_id: id, entity_name: 'Berlin dark', customer_id: ours })
  for (const other of ['boss', 'manager', 'ourBoss', 'their'] as const) {
    expect(await names(other)).not.toContain('Berlin dark')
    expect(outcome(await set(other, { id, name: 'Mine' }))).toBe('not_found')
    expect(outcome(await post(other, 'DelView', { id }))).toBe('not_found')
    expect(outcome(await post(other, 'SetDefaultView', { page: 'devices', id }))).toBe('not_found')
  }
  expect(await names('our', 'locations')).toEqual([])
  expect(outcome(await set('our', { id, page: 'locations', name: 'Elsewhere' }))).toBe('not_found')
  expect(outcome(await set('our', { id, name: 'Renamed' }))).toBe(200)
  expect(await names('our')).toEqual(['Renamed'])
  expect(outcome(await post('our', 'DelView', { id }))).toBe(200)
  expect(await names('our')).toEqual([])
})

test('staff admins share with roles, staff and the admins of a customer with a customer', async () => {
  const role = { with: 'role', id: await roleOf('our@ours.example') } as const
  const customer = (id: number) => ({ with: 'customer', id: id as CustomerId }) as const
  const tried = async (who: Person, share: View['share'], name: string) => outcome(await set(who, { name, share }))
  expect(await tried('boss', role, 'of the role')).toBe(200)
  for (const who of ['manager', 'ourBoss', 'our'] as const) expect(await tried(who, role, 'r')).toBe('forbidden')
  expect(await tried('boss', { ...role, id: 2_000_000_000 as typeof role.id }, 'x')).toBe('not_found')
  expect(await tried('manager', customer(ours as number), 'by staff')).toBe(200)
  expect(await tried('ourBoss', customer(ours as number), 'by our admin')).toBe(200)
  expect(await tried('our', customer(ours as number), 'c')).toBe('forbidden')
  for (const id of [theirs as number, 2_000_000_000]) {
    expect(await tried('ourBoss', customer(id), 'c')).toBe('not_found')
  }
  expect(await names('our')).toEqual(['by our admin', 'by staff', 'of the role'])
  expect(await names('ourBoss')).toEqual(['by our admin', 'by staff'])
  expect(await names('their')).toEqual([])
  expect((await listed('our')).views).toMatchObject([
    { ownerName: 'boss@ours.example', shareName: 'Ours', mayChange: false },
    { ownerName: 'Staff', shareName: 'Ours', mayChange: false },
    { ownerName: 'Staff', share: role, mayChange: false },
  ])
  const byStaff = (await listed('our')).views.find(({ name }) => name === 'by staff')?.id as number
  expect(outcome(await post('our', 'DelView', { id: byStaff }))).toBe('forbidden')
  expect(outcome(await post('ourBoss', 'DelView', { id: byStaff }))).toBe(200)
  expect(await names('manager')).toEqual([])
  expect(await names('boss')).toEqual(['by our admin', 'of the role'])
})

test('of a shared view that names a foreign customer nobody reads what it seeks, and it says that this is lost', async () => {
  const filter = { customerId: theirs as CustomerId, search: 'secret of theirs' }
  const share = { with: 'customer', id: ours as CustomerId } as const
  const id = await added('manager', { name: 'About others', content: { filter, columns: ['name'] }, share })
  expect(await find('our', id)).toMatchObject({ content: { filter: {}, columns: ['name'] }, lost: 'customer' })
  expect(await find('manager', id)).toMatchObject({ content: { filter }, lost: null })
  await post('ourBoss', 'DelView', { id })
  const { before } = await lastAudit()
  expect(before).toMatchObject({ name: 'About others', content: { filter: {} } })
  for (const customerId of [theirs as CustomerId, 2_000_000_000 as CustomerId]) {
    expect(outcome(await set('our', { name: 'Theirs', content: { filter: { customerId } } }))).toBe('not_found')
  }
})

test('a filter that this version cannot read is lost, and nothing else with it', async () => {
  const id = await added('manager', { name: 'Old' })
  await api.pool.query(`update saved_view set content = '{"filter": {"filter": "gone"}}' where id = $1`, [id])
  expect(await find('manager', id)).toMatchObject({ content: { filter: {} }, lost: 'filter' })
})

test('one view is the default of a page, and who loses it is told until they choose anew', async () => {
  const share = { with: 'customer', id: ours as CustomerId } as const
  const [id, own] = [await added('ourBoss', { name: 'For all', share }), await added('our', { name: 'Own' })]
  const chosen = async () => {
    const { defaultId, isDefaultLost } = await listed('our')
    return { defaultId, isDefaultLost }
  }
  expect(await chosen()).toEqual({ defaultId: null, isDefaultLost: false })
  for (const one of [own, id])
    expect(outcome(await post('our', 'SetDefaultView', { page: 'devices', id: one }))).toBe(200)
  expect(await chosen()).toEqual({ defaultId: id, isDefaultLost: false })
  expect((await listed('ourBoss')).defaultId).toBeNull()
  expect(outcome(await post('our', 'SetDefaultView', { page: 'locations', id }))).toBe('not_found')
  await set('ourBoss', { id, name: 'For nobody', share: null })
  expect(await chosen()).toEqual({ defaultId: null, isDefaultLost: true })
  await post('our', 'SetDefaultView', { page: 'devices', id: null })
  expect(await chosen()).toEqual({ defaultId: null, isDefaultLost: false })
})

test('a person has each name once for a page, and at most 100 views', async () => {
  await added('their', { name: 'Dark' })
  expect(outcome(await set('their', { name: 'dark' }))).toBe('view_name_taken')
  expect(outcome(await set('their', { name: 'dark', page: 'locations' }))).toBe(200)
  await api.pool.query(
    `insert into saved_view (owner_id, page, name, content)
     select id, 'devices', 'View ' || n, '{"filter": {}}' from app_user, generate_series(3, $1) n where username like 'their@%'`,
    [MOST_VIEWS - 1],
  )
  const both = await Promise.all([set('their', { name: 'One more' }), set('their', { name: 'And another' })])
  expect(both.map(outcome).sort()).toEqual([200, 'too_many_views'])
})

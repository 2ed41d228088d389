import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addUser, ask, openSession } from '#server/testing/callers.ts'

const api = await apiTest()

test('the switch for alert e-mails is one’s own, and says whether it counts', async () => {
  const mailedId = await addUser(api.pool, { username: 'mailed@staff.example', functions: [7] })
  const mailed = await openSession(api.pool, mailedId)
  const settings = async (as: string) => (await ask(api, 'App/GetNotificationSettings', { token: as })).json()
  expect(await settings(mailed)).toEqual({ isEmailOn: true, email: 'mailed@staff.example', mayReceive: true })
  const unmailed = await api.signedIn({ username: 'boss@a.example', functions: [1] })
  expect(await settings(unmailed)).toMatchObject({ isEmailOn: true, mayReceive: false })
  const off = { token: mailed, method: 'POST', body: { isEmailOn: false } } as const
  const answer = await ask(api, 'App/SetNotificationSettings', off)
  expect(answer.json()).toEqual({ isEmailOn: false, email: 'mailed@staff.example', mayReceive: true })
  expect(await settings(mailed)).toEqual(answer.json())
  expect(await settings(unmailed)).toMatchObject({ isEmailOn: true })
  const row = { entity_id: mailedId, entity_name: 'mailed@staff.example', before: { isEmailOn: true } }
  expect((await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]).toMatchObject({
    ...row,
    after: { isEmailOn: false },
  })
})

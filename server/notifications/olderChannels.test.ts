import { expect, test } from 'vitest'
import { migrate } from '#server/db/upgrade/migrate.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'

const { database, owner } = await databaseTest('empty')

test('mail channels from before an upgrade count as confirmed, and of a webhook its host is known without its secret', async () => {
  await migrate(database.ownerUrl, { upTo: 129 })
  await owner.query(
    `insert into channel (name, kind, settings, secret, most_per_hour) values
       ('Desk', 'mail', '{"recipient": "desk@a.example"}', '', 30),
       ('Hook', 'webhook', '{}', 'https://hooks.example:8443/abc?token=1', 30)`,
  )
  await migrate(database.ownerUrl, { upTo: 139 })
  const { rows } = await owner.query(
    `select name, recipient_confirmed_at is not null as "isConfirmed", secret_host as host from channel order by name`,
  )
  expect(rows).toEqual([
    { name: 'Desk', isConfirmed: true, host: '' },
    { name: 'Hook', isConfirmed: false, host: 'hooks.example:8443' },
  ])
})

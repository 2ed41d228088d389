import { expect, test } from 'vitest'
import type { Config } from '#server/settings/config.ts'
import { addUser, ask, openSession, startApi } from '#server/testing/callers.ts'

async function answeredWith(config: Partial<Config>) {
  const api = await startApi({ config })
  try {
    const token = await openSession(api.pool, await addUser(api.pool, { username: 'a@a.example', functions: [] }))
    return (await ask(api, 'App/GetConsoleSettings', { token })).json()
  } finally {
    await api.stop()
  }
}

test('every signed-in console learns where its map tiles come from, and whom to name for them', async () => {
  const tileUrl = 'https://{s}.tiles.example/{z}/{x}/{y}.png'
  expect(await answeredWith({ tileUrl, tileAttribution: '© Tiles & <b>Co</b>' })).toEqual({
    tiles: { url: tileUrl, attribution: '© Tiles & <b>Co</b>' },
  })
})

test('without a tile server nothing is named, whatever the attribution', async () => {
  expect(await answeredWith({ tileAttribution: '© Tiles' })).toEqual({})
})

test('every signed-in console learns where operators find help', async () => {
  expect(await answeredWith({ supportUrl: 'https://help.example/' })).toEqual({ supportUrl: 'https://help.example/' })
})

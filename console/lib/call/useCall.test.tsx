import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { expect, test } from 'vitest'
import { alertDialog, confirmDialog } from '#console/lib/notice/dialogs.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { renderPiece } from '#console/testing/renderPiece.tsx'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { listCountries } from '#contract/http/operation/lookups.ts'
import { listRoles } from '#contract/http/people/roles.ts'
import { deleteUser } from '#contract/http/people/users.ts'
import type { UserId } from '#domain/ids.ts'
import { beginCall } from './begunCalls.ts'
import { toasts } from './toasts.ts'
import { callKey, gatherBegun, queryClient, refresh, reload, useCall, useChange } from './useCall.ts'

const { server } = screenTest()
const user = userEvent.setup()

function Countries() {
  const countries = useCall(listCountries, {})
  return (
    <>
      <button type="button" onClick={() => void reload(countries)}>
        Reload
      </button>
      <AsyncView query={countries} isEmpty={(rows) => rows.length === 0} empty="No countries">
        {(rows) => rows.map(({ id, name }) => <p key={id}>{name}</p>)}
      </AsyncView>
    </>
  )
}
const toastTexts = () => [...document.querySelectorAll('.toast')].map((toast) => toast.textContent)

test('a first load that fails says why and can be tried again', async () => {
  server.answer(listCountries, new Refusal('internal_error'))
  renderPiece(<Countries />)
  expect(await screen.findByText('Something went wrong on the server.')).toBeVisible()
  server.answer(listCountries, [{ id: 1, name: 'Česko' }])
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Česko')).toBeVisible()
})

test('an empty answer is said to be empty', async () => {
  server.answer(listCountries, [])
  renderPiece(<Countries />)
  expect(await screen.findByText('No countries')).toBeVisible()
})

test('a refresh in the background that fails is silent; a reload by the operator is not', async () => {
  server.answer(listCountries, [{ id: 1, name: 'Česko' }])
  renderPiece(<Countries />)
  await screen.findByText('Česko')
  server.answer(listCountries, new Refusal('internal_error'))
  await refresh(listCountries)
  expect(toastTexts()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Reload' }))
  await waitFor(() => expect(toastTexts()).toEqual(['Something went wrong on the server.']))
  expect(screen.getByText('Česko')).toBeVisible()
})

test('a change makes what tells of it be read again, and nothing else; a refused one is told', async () => {
  server.answer(listCountries, [{ id: 1, name: 'Česko' }])
  server.answer(listRoles, [])
  server.answer(deleteUser, true)
  function Change() {
    const change = useChange(deleteUser)
    // The list of roles counts users, so a change of users makes it stale.
    useCall(listRoles, {})
    return (
      <button type="button" onClick={() => change.mutate({ query: { id: 7 as UserId } })}>
        Change
      </button>
    )
  }
  renderPiece(
    <>
      <Countries />
      <Change />
    </>,
  )
  await screen.findByText('Česko')
  await user.click(screen.getByRole('button', { name: 'Change' }))
  await waitFor(() => expect(server.requestsTo(listRoles)).toHaveLength(2))
  expect(server.requestsTo(listCountries)).toHaveLength(1)
  server.answer(deleteUser, new Refusal('forbidden'))
  await user.click(screen.getByRole('button', { name: 'Change' }))
  await waitFor(() => expect(toastTexts()).toContain('You do not have permission to do this.'))
})

test('a page that is left when what it is about was deleted does not ask for that once more', async () => {
  server.answer(listRoles, [])
  server.answer(deleteUser, true)
  const leaving = Promise.withResolvers<void>()
  function Page({ onLeave }: { readonly onLeave: () => void }) {
    useCall(listRoles, {})
    // Leaving takes time, like Back: the page stays until the browser has moved.
    const change = useChange(deleteUser, { onDone: () => leaving.promise.then(onLeave) })
    return (
      <button type="button" onClick={() => change.mutate({ query: { id: 7 as UserId } })}>
        Delete
      </button>
    )
  }
  function Place() {
    const [isLeft, setIsLeft] = useState(false)
    return isLeft ? <p>elsewhere</p> : <Page onLeave={() => flushSync(() => setIsLeft(true))} />
  }
  renderPiece(
    <>
      <Countries />
      <Place />
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(server.requestsTo(deleteUser)).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Reload' }))
  await waitFor(() => expect(server.requestsTo(listCountries)).toHaveLength(2))
  leaving.resolve()
  await screen.findByText('elsewhere')
  await user.click(screen.getByRole('button', { name: 'Reload' }))
  await waitFor(() => expect(server.requestsTo(listCountries)).toHaveLength(3))
  expect(server.requestsTo(listRoles)).toHaveLength(1)
})

test('the answers of one user are gone when the next one signs in', async () => {
  server.answer(listCountries, [{ id: 1, name: 'Česko' }])
  const { unmount } = renderPiece(<Countries />)
  await screen.findByText('Česko')
  unmount()
  signInAs({ id: 2 })
  expect(queryClient.getQueryCache().getAll()).toEqual([])
})

test('the same sentence twice is one toast', async () => {
  renderPiece(<p>page</p>)
  toasts.error('twice')
  toasts.error('twice')
  await waitFor(() => expect(toastTexts().filter((text) => text === 'twice')).toHaveLength(1))
})

test('a question is answered by Yes, by No, and by closing it, which is a No', async () => {
  renderPiece(<p>page</p>)
  for (const [button, answer] of [
    ['Yes', true],
    ['No', false],
    ['Close', false],
  ] as const) {
    const asked = confirmDialog({ title: 'Sure?', text: 'Really.' })
    await user.click(await screen.findByRole('button', { name: button }))
    expect(await asked).toBe(answer)
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  }
})

test('a notice is closed by Ok', async () => {
  renderPiece(<p>page</p>)
  const shown = alertDialog('Invalid component number', 'Too many.')
  await user.click(await screen.findByRole('button', { name: 'Ok' }))
  await shown
})

test('a page is drawn with what was begun for it, which is not asked for again', async () => {
  server.answer(listCountries, [{ id: 1, name: 'Česko' }])
  beginCall(listCountries, {})
  await gatherBegun()
  expect(queryClient.getQueryData(callKey(listCountries, {}))).toEqual([{ id: 1, name: 'Česko' }])
  renderPiece(<Countries />)
  expect(screen.getByText('Česko')).toBeVisible()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(server.requestsTo(listCountries)).toHaveLength(1)
})

test('a call is made while its page is drawn, and once', async () => {
  server.answer(listCountries, [{ id: 1, name: 'Česko' }])
  let drawnBefore: number | undefined
  function Below() {
    drawnBefore ??= queryClient.isFetching()
    return null
  }
  renderPiece(
    <>
      <Countries />
      <Below />
    </>,
  )
  expect(await screen.findByText('Česko')).toBeVisible()
  expect(drawnBefore).toBe(1)
  expect(server.requestsTo(listCountries)).toHaveLength(1)
})

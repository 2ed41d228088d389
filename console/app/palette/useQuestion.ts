import { useMemo } from 'react'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useIsCustomerUser, useMay } from '#console/lib/session/session.ts'
import { viewerTimeZone } from '#console/lib/time/viewerZone.ts'
import { LOOKUP_FRESH_MS } from '#console/pickers/lookupFresh.ts'
import { type Address, address } from '#console/router/addressText.ts'
import { getDevice } from '#contract/http/devices/devices.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { Question, QuestionPart } from '#domain/questions/question.ts'
import { readQuestion } from '#domain/questions/readQuestion.ts'

export interface RequestedList {
  readonly list: Question['list']
  readonly to: Address
  readonly says: string
  /** The part that was not understood, with the reason where it is known. */
  readonly unread: string | undefined
  /** It is true when no word was left over and more than one was understood, so that a question is surely meant. */
  readonly isCertain: boolean
}

export function useQuestion(typed: string): RequestedList | undefined {
  const mayList = useMay(getDevice.permission)
  const isCustomerUser = useIsCustomerUser()
  const namesCustomer = /customer/i.test(typed)
  const lookup = useCall(
    listCustomers,
    {},
    { freshMs: LOOKUP_FRESH_MS, enabled: mayList && !isCustomerUser && namesCustomer },
  )
  const customers = isCustomerUser ? undefined : lookup.data
  return useMemo(() => {
    const isWaiting = namesCustomer && !isCustomerUser && customers === undefined
    if (!mayList || isWaiting) return undefined
    const known = {
      now: new Date(serverNowMs()),
      timeZone: viewerTimeZone(),
      customers: isCustomerUser ? undefined : (customers ?? []),
    }
    return askedList(readQuestion(typed, known))
  }, [typed, mayList, isCustomerUser, namesCustomer, customers])
}

function askedList(question: Question): RequestedList | undefined {
  const { list, filter, parts } = question
  if (Object.keys(filter).length === 0) return undefined
  const read = parts.flatMap((part) => (part.kind === 'read' ? [part.says] : []))
  const unread = parts.filter((part) => part.kind === 'unread')
  return {
    list,
    to: list === 'devices' ? address('/devices', question.filter) : address('/alerts', question.filter),
    says: read.join(' · '),
    unread: unread.length === 0 ? undefined : unread.map(unreadText).join(', '),
    isCertain: unread.length === 0 && read.length > 1,
  }
}

const unreadText = (part: QuestionPart) => ('why' in part && part.why ? `${part.typed} (${part.why})` : part.typed)

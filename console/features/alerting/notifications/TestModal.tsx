import { Button, Modal } from '@mantine/core'
import { failureMessage } from '#console/lib/call/CallFailed.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import type { Channel, testChannel } from '#contract/http/alerting/channels.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import type { useChannelTest } from './useChannelTest.ts'
import './channels.css'

interface Props {
  readonly channel: Channel
  readonly test: ReturnType<typeof useChannelTest>
  readonly onClose: () => void
}

export function TestModal({ channel: { id, name }, test, onClose }: Props) {
  const { mutate, data, error, isPending } = test
  return (
    <Modal opened onClose={onClose} title={`Test of ${name}`} size={520}>
      {isPending && <Skeleton />}
      {error && <FormNote kind="failed" text={failureMessage(error)} />}
      {data && <TestAnswer answer={data} />}
      <div className="channel-foot">
        <Button variant="default" loading={isPending} onClick={() => mutate({ body: { id } })}>
          Send again
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Modal>
  )
}

function TestAnswer({ answer }: { readonly answer: AnswerOf<typeof testChannel> }) {
  const { isTaken, status, reason, tookMs } = answer
  const took = `${formatNumber(tookMs)} ms`
  return (
    <>
      <FormNote
        kind={isTaken ? 'info' : 'failed'}
        text={
          isTaken ? `Delivered${status === null ? '' : ` with HTTP ${status}`}, in ${took}.` : `${reason} (${took})`
        }
      />
      <p className="channel-answer-head">Response</p>
      <pre className="channel-answer">{answer.answer === '' ? 'Nothing' : answer.answer}</pre>
    </>
  )
}

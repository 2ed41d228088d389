import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { formatAge, formatBucket, useOnTime } from '#console/lib/time/time.ts'
import { viewerTimeZone } from '#console/lib/time/viewerZone.ts'
import { SECOND_MS } from '#domain/units/time.ts'
import { LONGEST_TYPED_MOMENT, readTypedMoment } from '#domain/units/typedMoment.ts'
import './TypedMoment.css'

interface Props {
  readonly label: string
  readonly begin?: string
  /** Only past moments are valid; a text without a day means the latest such moment. */
  readonly isPast?: boolean
  readonly onChoose: (moment: Date) => void
}

/** A moment can be typed in words or figures; what was understood stands below, and Enter accepts it. */
export function TypedMoment({ label, begin = '', isPast = false, onChoose }: Props) {
  const [text, setText] = useState(begin)
  const [showsError, setShowsError] = useState(false)
  // A moment that is relative to now moves with it.
  useOnTime((now) => Math.floor(now.getTime() / SECOND_MS))
  const read = readAgain()
  const wrong = 'wrong' in read ? read.wrong : undefined

  function readAgain() {
    const now = new Date(serverNowMs())
    const moment = readTypedMoment(text, { now, timeZone: viewerTimeZone(), isPast })
    return isPast && 'at' in moment && moment.at > now ? { wrong: 'This has not been yet.' } : moment
  }

  return (
    <form
      className="typed-moment"
      onSubmit={(event) => {
        event.preventDefault()
        // The submit event of a form within a form must not reach the outer one.
        event.stopPropagation()
        const chosen = readAgain()
        if ('at' in chosen) onChoose(chosen.at)
        else setShowsError(true)
      }}
    >
      <TextInput
        size="xs"
        label={label}
        placeholder="17.11. 14:00"
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST_TYPED_MOMENT}
        data-autofocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setShowsError(false)
        }}
        error={showsError ? wrong : undefined}
      />
      <p className="typed-moment-read" role="status">
        {'at' in read ? (
          <>
            {formatBucket(read.at)} <span>{formatAge(read.at, new Date(serverNowMs()))}</span>
          </>
        ) : (
          !showsError && <span>{text.trim() === '' ? 'Or yesterday 9:00, last Tuesday 14:00, 3 h ago' : wrong}</span>
        )}
      </p>
    </form>
  )
}

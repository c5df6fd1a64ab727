import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoggedMessage } from '../data/requests.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { formLines } from '../webhooks/form-lines.ts'
import { WireText } from '../webhooks/wire-text.tsx'
import { jsonPieces } from './json-pieces.ts'
import { JsonText } from './json-text.tsx'
import classes from './request-page.module.css'

/** Why no body is shown. */
export function NoBody({ message: { size } }: { message: LoggedMessage }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <p className={classes.quiet}>
      {size === 0 ? t('requests.no_body') : t('requests.body_not_kept', { size: format.size(size) })}
    </p>
  )
}

/** A body in a readable form: JSON is indented, a form has a line for each member. */
export function BodyView({ message, body }: { message: LoggedMessage; body: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes.answers}>
      {message.is_cut && (
        <Callout tone="warn">{t('requests.cut', { size: format.size(message.size) })}</Callout>
      )}
      <Shaped body={body} type={message.headers['content-type'] ?? ''} />
    </div>
  )
}

type Shape = 'readable' | 'raw'

function Shaped({ body, type }: { body: string; type: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [shape, setShape] = useState<Shape>('readable')
  const isForm = type.includes('form-urlencoded')
  const pieces = isForm ? null : jsonPieces(body)
  const hasShapes = isForm || pieces !== null
  const label = `${t('requests.body')} · ${format.size(new Blob([body]).size)}`
  const text = isForm && shape === 'readable' ? formLines(body) : body
  return (
    <WireText
      label={label}
      text={text}
      shown={pieces && shape === 'readable' ? <JsonText pieces={pieces} /> : undefined}
    >
      {hasShapes && (
        <SegmentedControl<Shape>
          size="xs"
          aria-label={t('requests.shape.label')}
          value={shape}
          onChange={setShape}
          data={(['readable', 'raw'] as const).map((value) => ({
            value,
            label: t(`requests.shape.${value}`),
          }))}
        />
      )}
    </WireText>
  )
}

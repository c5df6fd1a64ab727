import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formLines } from './form-lines.ts'
import { WireText } from './wire-text.tsx'

type Shape = 'decoded' | 'raw'

/** The body of a request: one member a line, or as it is sent. */
export function BodyText({ body }: { body: string }) {
  const { t } = useTranslation()
  const [shape, setShape] = useState<Shape>('decoded')
  return (
    <WireText label={t('webhooks.delivery.body')} text={shape === 'raw' ? body : formLines(body)}>
      <SegmentedControl<Shape>
        size="xs"
        aria-label={t('webhooks.delivery.shape')}
        value={shape}
        onChange={setShape}
        data={[
          { value: 'decoded', label: t('webhooks.delivery.decoded') },
          { value: 'raw', label: t('webhooks.delivery.raw') },
        ]}
      />
    </WireText>
  )
}

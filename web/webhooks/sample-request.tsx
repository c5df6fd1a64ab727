import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WebhookCode } from '../../src/webhooks/webhook-types.ts'
import { sampleOptions } from '../data/webhooks.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { BodyText } from './body-text.tsx'
import { orderedCodes } from './code-groups.ts'
import classes from './webhooks.module.css'

/** An example of a request for one of the chosen changes, with the latest record of the account. */
export function SampleRequest({ settings }: { settings: readonly string[] }) {
  const { t } = useTranslation()
  const codes = orderedCodes(settings)
  const [chosen, setChosen] = useState<string | null>(null)
  const code = codes.find((one) => one === chosen) ?? codes[0]
  if (!code) return <p className={classes.quiet}>{t('webhooks.sample.none_chosen')}</p>
  return (
    <div className={classes.sample}>
      <Select
        label={t('webhooks.sample.of')}
        data={codes.map((one) => ({ value: one, label: t(`webhooks.codes.${one}`) }))}
        value={code}
        onChange={setChosen}
        allowDeselect={false}
      />
      <Sample code={code} />
    </div>
  )
}

function Sample({ code }: { code: WebhookCode }) {
  const { t } = useTranslation()
  const query = useQuery(sampleOptions(code))
  return (
    <Loaded query={query}>
      {(body) =>
        body === null ? (
          <p className={classes.quiet}>{t('webhooks.sample.nothing')}</p>
        ) : (
          <BodyText body={body} />
        )
      }
    </Loaded>
  )
}

import { Button, SegmentedControl } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoggedExchange } from '../data/requests.ts'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { Callout } from '../parts/layout/callout.tsx'
import { WireText } from '../webhooks/wire-text.tsx'
import classes from './request-page.module.css'
import { callOf } from './snippets/call.ts'
import { type Language, languages } from './snippets/languages.ts'

/** Shows the request as code in several languages, with environment variables in place of secrets. */
export function CodeButton({ request }: { request: LoggedExchange }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCode size={15} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t('requests.code.open')}
      </Button>
      <Dialog opened={isOpen} onClose={() => setIsOpen(false)} size={760} title={t('requests.code.title')}>
        <Code request={request} />
      </Dialog>
    </>
  )
}

function Code({ request }: { request: LoggedExchange }) {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<Language>('curl')
  const { name, write } = languages[language]
  const { body, size, is_cut } = request.request
  return (
    <div className={classes.answers}>
      <SegmentedControl<Language>
        aria-label={t('requests.code.language')}
        value={language}
        onChange={setLanguage}
        data={Object.entries(languages).map(([value, one]) => ({
          value: value as Language,
          label: one.name,
        }))}
      />
      {(is_cut || (body === null && size > 0)) && (
        <Callout tone="warn">{t('requests.code.incomplete')}</Callout>
      )}
      <WireText label={name} text={write(callOf(request, window.location.protocol))} />
      <p className={classes.quiet}>{t('requests.code.hint')}</p>
    </div>
  )
}

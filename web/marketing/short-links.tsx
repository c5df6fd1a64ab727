import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { makeShortLink } from '../data/marketing.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { Section } from '../parts/layout/section.tsx'
import { RecordFinder } from '../parts/records/record-finder.tsx'
import { Copyable } from '../parts/texts/copyable.tsx'
import { ApiCall } from './api-call.tsx'
import classes from './marketing.module.css'

const kinds = ['contacts'] as const

interface Draft extends Record<string, unknown> {
  url: string
  contact_id: number | null
}

/** Creates short links, each for one contact. */
export function ShortLinks() {
  const { t } = useTranslation()
  const [made, setMade] = useState<string>()
  const form = useForm<Draft>({
    initialValues: { url: '', contact_id: null },
    validate: { url: (value) => (isWebAddress(value) ? null : t('marketing.link.bad')) },
    onValuesChange: () => setMade(undefined),
  })
  return (
    <Section
      title={t('marketing.link.title')}
      lead={t('marketing.link.lead')}
      actions={
        <Link to="/events" search={{ 'filter[type]': 'link_followed' }} className={classes.answers}>
          {t('marketing.link.followed')}
        </Link>
      }
    >
      <LinkForm form={form} onMade={setMade} />
      {made && (
        <div className={classes.address} aria-live="polite">
          <Copyable label={t('marketing.link.address')} value={made} />
        </div>
      )}
      <ApiCall method="POST" path="/short_links" body={[exampleOf(form.values)]}>
        {t('marketing.link.api')}
      </ApiCall>
    </Section>
  )
}

interface LinkFormProps {
  form: ReturnType<typeof useForm<Draft>>
  onMade: (address: string) => void
}

function LinkForm({ form, onMade }: LinkFormProps) {
  const { t } = useTranslation()
  const { submit, pending, error } = useSubmit(form, makeShortLink, { onDone: onMade })
  const { contact_id } = form.values
  return (
    <>
      <ProblemCallout error={error} />
      <form
        noValidate
        className={classes.make}
        onSubmit={form.onSubmit(({ url }) => {
          if (contact_id !== null) submit({ url: url.trim(), contact_id })
        })}
      >
        <RecordFinder
          label={t('marketing.link.for')}
          kinds={kinds}
          value={contact_id === null ? null : { collection: 'contacts', id: contact_id }}
          onChange={(chosen) => form.setFieldValue('contact_id', chosen?.id ?? null)}
        />
        <TextInput
          aria-label={t('marketing.link.to')}
          placeholder={t('marketing.link.to_example')}
          type="url"
          maxLength={2048}
          {...form.getInputProps('url')}
        />
        <Button type="submit" variant="default" disabled={contact_id === null} loading={pending}>
          {t('marketing.link.make')}
        </Button>
      </form>
    </>
  )
}

const exampleOf = ({ url, contact_id }: Draft) => ({
  url: url || 'https://example.com/offer',
  metadata: { entity_type: 'contacts', entity_id: contact_id ?? 1 },
})

function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text.trim()).protocol)
  } catch {
    return false
  }
}

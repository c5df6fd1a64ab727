import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Account, accountOptions, patchAccount, setPaid } from '../data/accounts.ts'
import { isLanguage, languageNames, languages } from '../i18n/i18n.ts'
import classes from '../parts/forms/form.module.css'
import { changedMembers } from '../parts/forms/rebased.ts'
import { SearchSelect } from '../parts/forms/search-select.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useForm, useStored } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { DescriptionList } from '../parts/layout/description-list.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { Section } from '../parts/layout/section.tsx'
import { useSignedIn } from '../shell/use-session.ts'

export function AccountPage() {
  const { t } = useTranslation()
  const query = useQuery(accountOptions)
  return (
    <Page title={t('account.title')} lead={t('account.lead')}>
      <Loaded query={query}>{(account) => <AccountSections account={account} />}</Loaded>
    </Page>
  )
}

function AccountSections({ account }: { account: Account }) {
  const { t } = useTranslation()
  const { account: working, mode } = useSignedIn()
  return (
    <>
      <Section beside title={t('account.general')}>
        <AccountForm account={account} />
      </Section>
      {mode === 'dev' && (
        <Section beside title={t('account.paid_title')} lead={t('account.paid_lead')}>
          <PaidSwitch is_paid={working?.is_paid ?? true} />
        </Section>
      )}
      <Section beside title={t('account.address')} lead={t('account.address_lead')}>
        <DescriptionList
          of={[
            [t('account.url'), <code key="url">{working?.url}</code>],
            [t('field.subdomain'), <code key="subdomain">{account.subdomain}</code>],
            [t('account.id'), <code key="id">{account.id}</code>],
          ]}
        />
      </Section>
    </>
  )
}

function PaidSwitch({ is_paid }: { is_paid: boolean }) {
  const { t } = useTranslation()
  const change = useAction(setPaid, t('app.saved'))
  return (
    <Switch
      size="xs"
      label={t('account.paid')}
      checked={is_paid}
      disabled={change.pending}
      onChange={(event) => change.run(event.currentTarget.checked)}
    />
  )
}

const currencies = Intl.supportedValuesOf('currency')
/** Browsers leave UTC out of their list. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

function AccountForm({ account }: { account: Account }) {
  const { t, i18n } = useTranslation()
  const names = new Intl.DisplayNames(i18n.language, { type: 'currency' })
  const zone = account._embedded?.datetime_settings?.timezone ?? 'UTC'
  const stored = {
    name: account.name,
    language: isLanguage(account.language) ? account.language : ('en' as const),
    timezone: zone,
    currency: account.currency,
  }
  const form = useForm({
    initialValues: stored,
    validate: { name: (value) => (value.trim() ? null : t('faults.NotBlank')) },
  })
  useStored(form, stored)
  const { submit, pending, error } = useSubmit(form, patchAccount, {
    done: t('app.saved'),
    onDone: () => form.resetDirty(),
  })
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit((draft) => submit(changedMembers(draft, stored)))}
    >
      <ProblemCallout error={error} />
      <TextInput label={t('field.account_name')} maxLength={255} required {...form.getInputProps('name')} />
      <div className={classes.pair}>
        <Select
          label={t('field.language')}
          data={languages.map((value) => ({ value, label: languageNames[value] }))}
          {...form.getInputProps('language')}
        />
        <SearchSelect
          label={t('field.timezone')}
          nothingFoundMessage={t('app.nothing')}
          data={zones.includes(zone) ? zones : [zone, ...zones]}
          {...form.getInputProps('timezone')}
        />
      </div>
      <SearchSelect
        label={t('field.currency')}
        description={t('account.currency_hint')}
        nothingFoundMessage={t('app.nothing')}
        data={currencies.map((code) => ({ value: code, label: `${code} – ${names.of(code)}` }))}
        {...form.getInputProps('currency')}
      />
      <div className={classes.end}>
        <Button type="submit" loading={pending} disabled={!form.isDirty()}>
          {t('act.save')}
        </Button>
      </div>
    </form>
  )
}

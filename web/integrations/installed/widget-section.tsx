import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Colleague, colleaguesOptions } from '../../data/colleagues.ts'
import {
  type InstalledWidget,
  installWidget,
  uninstallWidget,
  type WidgetSetting,
  type WidgetSettings,
  widgetOptions,
} from '../../data/widgets.ts'
import { Confirm } from '../../parts/dialogs/confirm.tsx'
import classes from '../../parts/forms/form.module.css'
import { changedMembers } from '../../parts/forms/rebased.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { useForm, useStored } from '../../parts/forms/use-form.ts'
import { useSubmit } from '../../parts/forms/use-submit.ts'
import { ProblemCallout } from '../../parts/layout/problem-callout.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { SettingInput, UsersInput } from './widget-inputs.tsx'

/** The settings of the integration's widget, if it has one. */
export function WidgetSection({ clientId }: { clientId: string }) {
  const { t } = useTranslation()
  const { data: widget } = useQuery(widgetOptions(clientId))
  const { data: colleagues } = useQuery(colleaguesOptions)
  if (!widget || !colleagues) return null
  return (
    <Section
      title={t('widget.title')}
      lead={t('widget.lead', { code: widget.code, version: widget.version })}
      actions={widget.is_installed && <Uninstall clientId={clientId} code={widget.code} />}
    >
      <SettingsForm
        key={String(widget.is_installed)}
        clientId={clientId}
        widget={widget}
        people={colleagues.filter(({ is_active }) => is_active)}
      />
    </Section>
  )
}

interface SettingsFormProps {
  clientId: string
  widget: InstalledWidget & { settings: WidgetSettings }
  people: Colleague[]
}

function SettingsForm({ clientId, widget, people }: SettingsFormProps) {
  const { t } = useTranslation()
  // The integration itself writes logins of people.
  const edited = widget.settings_template.filter(({ type }) => type !== 'users_lp')
  const stored = draftOf(edited, widget.settings, people)
  const form = useForm<WidgetSettings>({ initialValues: stored })
  useStored(form, stored)
  const { submit, pending, error } = useSubmit(form, installWidget(clientId, widget.code), {
    done: t(widget.is_installed ? 'app.saved' : 'widget.installed'),
    // A typed password is stored now, and the input is for the next one.
    onDone: () => form.setValues(withoutPasswords(edited, form.getValues())),
  })
  return (
    <form
      className={classes.form}
      noValidate
      // An empty password keeps its value.
      onSubmit={form.onSubmit((values) => submit(changedMembers(values, stored)))}
    >
      <ProblemCallout error={error} />
      {edited.map((setting) =>
        setting.type === 'users' ? (
          <UsersInput
            key={setting.key}
            setting={setting}
            people={people}
            {...form.getInputProps(setting.key)}
          />
        ) : (
          <SettingInput
            key={setting.key}
            setting={setting}
            isKept={widget.is_installed}
            {...form.getInputProps(setting.key)}
          />
        ),
      )}
      <div className={classes.end}>
        <Button type="submit" loading={pending}>
          {t(widget.is_installed ? 'act.save' : 'widget.install')}
        </Button>
      </div>
    </form>
  )
}

/** Texts of people who left the account are dropped, because the server accepts only its people. */
function draftOf(edited: WidgetSetting[], stored: WidgetSettings, people: Colleague[]): WidgetSettings {
  return Object.fromEntries(
    edited.map(({ key, type }): [string, WidgetSettings[string]] => {
      const value = stored[key]
      if (type !== 'users') return [key, value ?? '']
      const texts = (value ?? {}) as Record<string, string>
      return [key, Object.fromEntries(people.flatMap(({ id }) => (texts[id] ? [[id, texts[id]]] : [])))]
    }),
  )
}

function withoutPasswords(edited: WidgetSetting[], values: WidgetSettings): WidgetSettings {
  const passwords = edited.filter(({ type }) => type === 'pass')
  return { ...values, ...Object.fromEntries(passwords.map(({ key }) => [key, ''])) }
}

function Uninstall({ clientId, code }: { clientId: string; code: string }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const uninstall = useAction(uninstallWidget(clientId, code), t('widget.uninstalled'))
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('widget.uninstall')}
      </Button>
      <Confirm
        opened={asking}
        title={t('widget.uninstall_of', { code })}
        action={t('widget.uninstall')}
        pending={uninstall.pending}
        onConfirm={() => uninstall.run(undefined, () => setAsking(false))}
        onClose={() => setAsking(false)}
      >
        <p>{t('widget.uninstall_lead')}</p>
      </Confirm>
    </>
  )
}

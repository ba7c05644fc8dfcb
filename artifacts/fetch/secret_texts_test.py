"""No form of a secret that testdata/secret_texts.txt has is left in a text, and what is none stays."""

import unittest

from artifacts.fetch.redaction import redact, presentable
from artifacts.fetch.secret_table import SECRET, table, with_secrets
from artifacts.fetch.secret_texts import clean_text, clean_words, is_secret_name


class SecretTextsTest(unittest.TestCase):
    def test_the_table_has_forms_and_texts_without_secrets(self):
        hidden = with_secrets()
        stays = [text for text, left in table() if text == left]
        self.assertGreaterEqual(len(hidden), 80)
        self.assertGreaterEqual(len(stays), 35)
        for text in hidden:
            self.assertRegex(text, SECRET)
        for _, left in table():
            self.assertNotRegex(left, SECRET)

    def test_each_text_is_cleaned_as_the_table_says(self):
        for text, left in table():
            with self.subTest(text=text):
                self.assertEqual(clean_text(text), left)
                self.assertEqual(clean_text(left), left, "cleaned twice")

    def test_a_message_for_a_terminal_has_none_of_them(self):
        for text, left in table():
            with self.subTest(text=text):
                self.assertNotRegex(redact(text), SECRET)
                self.assertEqual(presentable(text), left)

    def test_the_words_of_a_command(self):
        for words, want in (
            (["run", "--api-key", "a b", "GH_PAT=x y", "--n"], ["run", "--api-key", "***", "GH_PAT=***", "--n"]),
            (["--token", "--n", "3", "--token"], ["--token", "--n", "3", "--token"]),
            (["curl", "-u", "me:a b", "h"], ["curl", "-u", "***", "h"]),
            (["/usr/bin/mysql", "-uroot", "-pa b", "db"], ["/usr/bin/mysql", "-uroot", "-p***", "db"]),
            (["docker", "run", "-p", "80:80"], ["docker", "run", "-p", "80:80"]),
            (["docker", "login", "-p", "abc"], ["docker", "login", "-p", "***"]),
            (["x", "password is abc", "https://me:abc@h"], ["x", "password is ***", "https://***@h"]),
            ([], []),
        ):  # fmt: skip
            self.assertEqual(clean_words(words), want)

    def test_names(self):
        for name in (
            "HF_TOKEN hfToken TOKEN_2 PGPASSWORD db.password AWS_ACCESS_KEY_ID API_KEY_PROD apiKey x-api-key"
            " SESSION_COOKIE COOKIE DB_PASS MYSQL_PWD GH_PAT"
            " AUTH PROXY_AUTH SSH_KEY KEY GOOGLE_APPLICATION_CREDENTIALS SSHPASS client_secret"
            " AccountKey SharedAccessKey _authToken secretKey"
        ).split():
            self.assertTrue(is_secret_name(name), name)
        for name in (
            "PATH PWD OLDPWD MONKEY KEYBOARD AUTHOR TOKENIZERS_PARALLELISM num_tokens pass_type passed_runs COMPASS"
            " key_padding_mask OMP_NUM_THREADS PASSES XAUTHORITY pattern ASSAY_TOKEN_FILE SECRET_DIR"
        ).split():
            self.assertFalse(is_secret_name(name), name)

    def test_no_text_takes_longer_than_it_is_long(self):
        count = 100000  # whose square would take until the test is ended
        for text in (
            "a", "a.", "-", "/", "/a", "a:", "token=a ", 'token="\\', "\\", '"\\', " ", "a:@", "~a", "curl ", "curl -u ",
            "a:,", "a@", "digest ", "digest response=", "name=", "name token value ", "password ", "password is ",
            "password 'a", "<a", "bearer ", "eyJaaaaaaaa", "-----BEGIN A-----", "-----BEGIN A-----a-", "//a:b@", "a://b@",
            "token => ", "-token -", "ENV A_TOKEN ", "login a password ", "***", "'curl', '-u', ", "key is a",
        ):  # fmt: skip
            clean_text('--token token="' + text * (count // len(text)))
            clean_text(text * (count // len(text)))


if __name__ == "__main__":
    unittest.main()

// A certified issuer: `node oidc_issuer.mjs PORT CLIENT SECRET REDIRECT`. It takes any login, and asks for consent.
import Provider from "oidc-provider";

const [port, client_id, client_secret, redirect] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id, client_secret, redirect_uris: [redirect] }],
  claims: { openid: ["sub"], profile: ["preferred_username", "locale"] },
  pkce: { required: () => true },
  findAccount: (_, sub) => ({
    accountId: sub,
    claims: () => ({ sub, preferred_username: `${sub} of the club`, locale: "fr-CH" }),
  }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));

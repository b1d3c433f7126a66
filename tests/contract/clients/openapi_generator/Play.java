import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.GamesApi;
import org.openapitools.client.model.*;

/** A game against a bot, over the client of openapi-generator's java, with the JDK's own HTTP. */
public class Play {
    static GamesApi api(String origin, String token) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(origin);
        client.setRequestInterceptor(
            request -> {
                if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
            });
        return new GamesApi(client);
    }

    public static void main(String[] arguments) throws Exception {
        String origin = arguments[0];
        GamesApi anybody = api(origin, "");
        OpenTable table =
            new OpenTable()
                .ruleset("classic")
                .seats(
                    List.of(
                        new TableSeat(new PersonSeat().kind(PersonSeat.KindEnum.PERSON)),
                        new TableSeat(new BotSeat().kind(BotSeat.KindEnum.BOT))))
                .options(Map.of("variant", "n_phases(1)"));
        Opened opened = anybody.openGame(table, null);
        UUID game = UUID.fromString(opened.getGame());
        Joined joined = anybody.takeSeat(game, new JoinTable().name("Ada"), null, null);
        api(origin, opened.getHostToken()).startGame(game, null, null);
        GamesApi seat = api(origin, joined.getToken());
        Hit hit = new Hit().type(Hit.TypeEnum.HIT).group(0).cards("R1");
        try {
            seat.sendCommand(game, new org.openapitools.client.model.Play(hit), null, null, null, null);
        } catch (ApiException refused) {
            Problem problem = ApiClient.createDefaultObjectMapper().readValue(refused.getResponseBody(), Problem.class);
            System.out.println("refused " + problem.getCode());
        }

        Stage stage = joined.getTable().getStage();
        while (stage != Stage.STAGE_ENDED && stage != Stage.STAGE_VOIDED) {
            Actions asked = seat.listActions(game);
            long version = asked.getVersion() + 1;
            if (!asked.getCommands().isEmpty()) {
                version = seat.sendCommand(game, asked.getCommands().get(0), null, null, null, null).getVersion();
            }
            stage = seat.getGame(game, version, null, null).getTable().getStage();
        }
        EventPage page = seat.listEvents(game, null, null, null, null, null, null, null, null, null);
        GameOpenedRecord first = page.getEvents().get(0).getGameOpenedRecord();
        System.out.println("opened " + first.getData().getRuleset().getId());
        System.out.println(stage.getValue());
    }
}
